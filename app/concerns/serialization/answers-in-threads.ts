import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { AnswerRefused, type AnswerRequest, type Answers } from '../../../workers/answers.ts'
import type { Plain } from '../../../workers/protocol.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { FormattedLines, ThreadLogging } from '../logging/contract.ts'
import { createLineFormatter } from '../logging/in-thread.ts'
import type { Caller, CallHeaders, ThreadData } from '../upstream/contract.ts'
import { createThreadClient } from '../upstream/in-thread.ts'
import { beginAnswer } from './build-answer.ts'
import { orderAnswers } from './order-answers.ts'
import { packReport, unpackInput } from './thread-protocol.ts'

/** The data with which a thread fetches and makes answers. */
export interface ThreadAnswersData {
  readonly serialization: Implementation<'serialization'>
  readonly upstream: ThreadData
  /** Undefined if the main thread formats the log lines. */
  readonly logging: ThreadLogging | undefined
}

/** The worker threads load this file if they fetch the orders of an answer themselves. */
export async function createAnswers(data: ThreadAnswersData): Promise<Answers> {
  const { createSerialization } = await implementations.serialization[data.serialization]()
  const serialization = createSerialization()
  const client = await createThreadClient(data.upstream)
  const formatter = data.logging && createLineFormatter(data.logging)
  return {
    tasksOf(input) {
      const { name, query } = unpackInput(input as Plain[]).answerQuery
      return orderAnswers[name].tasks(query)
    },
    async begin(input, request) {
      const { answerQuery, headers } = unpackInput(input as Plain[])
      const caller = new ThreadCaller(request, headers)
      const data = await client.fetchOrders(answerQuery.query, caller).catch(refuse)
      // The orders are decoded after the tasks, which make much garbage: decoded before, they would outlive collections of
      // the young generation, and full collections would follow.
      return (outputs, logger) => {
        const finish = expected(() => beginAnswer(serialization, { ...answerQuery, data }))
        if (!formatter) return finish(outputs, logger)
        try {
          return finish(outputs, formatter.loggerFor(contextOf(request)))
        } finally {
          caller.report(formatter.take())
        }
      }
    },
  }
}

const NO_LINES: FormattedLines = { text: '', count: 0 }

/** The request of a call that a thread makes. It reports the call, and later the log lines too. */
class ThreadCaller implements Caller {
  readonly headers: CallHeaders
  readonly #request: AnswerRequest
  #times: CallTimes | undefined

  constructor(request: AnswerRequest, headers: CallHeaders) {
    this.#request = request
    this.headers = headers
  }

  get deadline(): number {
    return this.#request.envelope.deadline
  }

  get gone(): boolean {
    return this.#request.gone
  }

  onGone(listener: () => void): () => void {
    return this.#request.onGone(listener)
  }

  onCalled(times: CallTimes): void {
    this.#times = times
    this.report(NO_LINES)
  }

  report(lines: FormattedLines): void {
    if (this.#times) this.#request.report = packReport({ times: this.#times, lines })
  }
}

/** An error while upstream's data is read counts as a failure of upstream. */
function expected<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new AnswerRefused('UPSTREAM_FAILED', error)
  }
}

function refuse(error: unknown): never {
  throw error instanceof Problem ? new AnswerRefused(error.code, error.cause) : error
}

/** The request as its log lines describe it. */
const contextOf = ({ envelope: { requestId, deadline, traceparent } }: AnswerRequest) =>
  new RequestContext(requestId, deadline, traceparent, { traceparent: () => traceparent })
