import { createLineFormatter } from '../../logger-transport/thread-lines.ts'
import type { AnswerMaker } from '../../workers/answers.ts'
import type { Plain } from '../../workers/job.ts'
import { createThreadClient } from '../concerns/upstream/in-thread.ts'
import { implementations } from '../concerns.ts'
import { logTextOf } from '../context.ts'
import { beginAnswer } from './build.ts'
import { orderAnswers } from './order-answers.ts'
import { type MakerData, unpackQuery } from './protocol.ts'

/** The worker threads load this file if they fetch the orders of an answer themselves. */
export async function createMaker({
  serialization: name,
  upstream,
  logging,
}: MakerData): Promise<AnswerMaker> {
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
      const data = await client.fetchOrders(query.query, request, request)
      // The orders are decoded after the tasks, which make much garbage: decoded before, they would outlive collections of
      // the young generation, and full collections would follow.
      return (outputs, logger) => {
        const finish = beginAnswer(serialization, query, data)
        return finish(outputs, lines?.loggerFor(logTextOf(request.envelope)) ?? logger)
      }
    },

    takeLines: () => lines?.take(),
  }
}
