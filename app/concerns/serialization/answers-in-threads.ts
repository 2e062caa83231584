import { AnswerRefused, type AnswerRequest, type Answers } from '../../../workers/protocol.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { ThreadLogging } from '../logging/contract.ts'
import { createLineFormatter } from '../logging/in-thread.ts'
import type { Caller, CallHeaders, OrdersClient, ThreadData } from '../upstream/contract.ts'
import { createThreadClient } from '../upstream/in-thread.ts'
import { beginAnswer } from './build-answer.ts'
import type { AnswerQuery } from './contract.ts'
import { orderAnswers } from './order-answers.ts'
import type { AnswerReport, ThreadAnswerInput } from './thread-protocol.ts'

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
  const client = createThreadClient(data.upstream)
  const formatter = data.logging && createLineFormatter(data.logging)
  return {
    tasksOf(input) {
      const { name, query } = input as ThreadAnswerInput
      return orderAnswers[name].tasks(query)
    },
    async begin(input, request) {
      const { headers, ...answerQuery } = input as ThreadAnswerInput
      const fetched = await fetchOrders(client, answerQuery.query, callerOf(request, headers))
      const finish = beginAnswer(serialization, { ...answerQuery, data: fetched })
      if (!formatter) return finish
      return outputs => {
        const encoded = finish(outputs, formatter.loggerFor(contextOf(request)))
        request.report = { ...(request.report as AnswerReport), lines: formatter.take() }
        return encoded
      }
    },
  }
}

function fetchOrders(client: OrdersClient, query: AnswerQuery['query'], caller: Caller) {
  return client.fetchOrders(query, caller).catch((error: unknown) => {
    throw error instanceof Problem ? new AnswerRefused(error.code, error.cause) : error
  })
}

const callerOf = (request: AnswerRequest, headers: CallHeaders): Caller => ({
  deadline: request.envelope.deadline,
  get gone() {
    return request.gone
  },
  onGone: listener => request.onGone(listener),
  headers,
  onCalled(called) {
    request.report = { called, lines: '' } satisfies AnswerReport
  },
})

/** The request as its log lines describe it. */
const contextOf = ({ envelope: { requestId, deadline, traceparent } }: AnswerRequest) =>
  new RequestContext(requestId, deadline, traceparent, { traceparent: () => traceparent })
