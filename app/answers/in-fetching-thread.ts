import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import type { ThreadLogging } from '../../lib/telemetry/logger.ts'
import { createLineFormatter } from '../../logger-transport/thread-lines.ts'
import type { AnswerMaker } from '../../workers/answers.ts'
import type { Plain } from '../../workers/protocol.ts'
import type { ThreadData } from '../concerns/upstream/contract.ts'
import { createThreadClient } from '../concerns/upstream/in-thread.ts'
import { type Implementation, implementations } from '../concerns.ts'
import { logTextOf } from '../context.ts'
import { beginAnswer } from './build.ts'
import { orderAnswers } from './order-answers.ts'
import { unpackQuery } from './protocol.ts'

interface Data {
  readonly serialization: Implementation<'serialization'>
  readonly upstream: ThreadData
  /** Undefined if the main thread formats the log lines. */
  readonly logging: ThreadLogging | undefined
}

/** The worker threads load this file if they fetch the orders of an answer themselves. */
export async function createMaker({ serialization: name, upstream, logging }: Data): Promise<AnswerMaker> {
  const serialization = (await implementations.serialization[name]()).createSerialization()
  const client = await createThreadClient(upstream)
  const lines = logging && createLineFormatter(logging)
  return {
    tasksOf(input) {
      const { name, query } = unpackQuery(input as Plain[])
      return orderAnswers[name].tasks(query)
    },

    async begin(input, request) {
      const query = unpackQuery(input as Plain[])
      const { headers, envelope } = request
      const onCalled = (times: CallTimes) => {
        request.report = { times, lines: { text: '', count: 0 } }
      }
      const data = await client.fetchOrders(query.query, request, { headers, onCalled })
      // The orders are decoded after the tasks, which make much garbage: decoded before, they would outlive collections of
      // the young generation, and full collections would follow.
      return (outputs, logger) => {
        try {
          const finish = beginAnswer(serialization, query, data)
          return finish(outputs, lines?.loggerFor(logTextOf(envelope)) ?? logger)
        } finally {
          if (lines && request.report) request.report = { ...request.report, lines: lines.take() }
        }
      }
    },
  }
}
