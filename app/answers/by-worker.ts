import { compactBytes } from '../../lib/threads/compact.ts'
import type { AnswerCall } from '../../workers/job.ts'
import type { Compute, Made } from '../concerns/compute/contract.ts'
import type { ThreadCall } from '../concerns/upstream/contract.ts'
import type { RequestContext } from '../context.ts'
import { Problem } from '../problems.ts'
import type { AnswerQuery, AnswersOptions, MakeAnswer } from './build.ts'
import { forEachAnswer, orderAnswers } from './order-answers.ts'
import { packQuery } from './protocol.ts'

/**
 * Lets a worker make whole answers. The main thread sends the query, or fetches the data for a worker that cannot; it
 * records the call and writes the log lines that come back with the answer.
 */
export function makeByWorker({ compute, upstream, logging, maker }: AnswersOptions): MakeAnswer {
  const answer = compute.answer as NonNullable<Compute['answer']>

  const ask = (
    { name }: AnswerQuery,
    context: RequestContext,
    message: Omit<AnswerCall, 'envelope'>,
    call?: ThreadCall,
  ) =>
    new Promise<Awaited<ReturnType<MakeAnswer>>>((resolve, reject) => {
      answer(context, message, taskNames[name], made => {
        const outcome = conclude(made, call)
        if (outcome instanceof Problem) reject(outcome)
        else resolve(outcome)
      })
    })

  const conclude = (made: Made | Problem, call: ThreadCall | undefined): Made['outcome'] => {
    const report = made instanceof Problem ? undefined : made.report
    if (report) {
      call?.end(report.times)
      logging.takeLines(report.lines)
    } else call?.drop()
    return made instanceof Problem ? made : made.outcome
  }

  const { inThreads } = upstream
  if (maker !== 'upstream' || !inThreads)
    return async (query, context) => {
      const data = compactBytes(await upstream.fetchOrders(query.query, context))
      return ask(query, context, { input: { ...query, data } })
    }

  const begin = (call: ThreadCall, query: AnswerQuery, context: RequestContext) =>
    ask(query, context, { input: packQuery(query), headers: call.headers }, call)
  return (query, context) => {
    const call = inThreads.call('orders', context.span)
    return call instanceof Promise
      ? call.then(begun => begin(begun, query, context))
      : begin(call, query, context)
  }
}

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
