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
    call: Omit<AnswerCall, 'envelope'>,
    span?: ThreadCall,
  ) =>
    new Promise<Awaited<ReturnType<MakeAnswer>>>((resolve, reject) => {
      answer(context, call, taskNames[name], made => {
        const outcome = conclude(made, span)
        if (outcome instanceof Problem) reject(outcome)
        else resolve(outcome)
      })
    })

  const conclude = (made: Made | Problem, span: ThreadCall | undefined): Made['outcome'] => {
    const report = made instanceof Problem ? undefined : made.report
    if (report) {
      span?.end(report.times)
      logging.takeLines(report.lines)
    } else span?.drop()
    return made instanceof Problem ? made : made.outcome
  }

  const { inThreads } = upstream
  if (maker !== 'upstream' || !inThreads)
    return async (query, context) => {
      const data = compactBytes(await upstream.fetchOrders(query.query, context))
      return ask(query, context, { input: { ...query, data } })
    }

  const begin = (span: ThreadCall, query: AnswerQuery, context: RequestContext) =>
    ask(query, context, { input: packQuery(query), headers: span.headers }, span)
  return (query, context) => {
    const span = inThreads.call('orders', context.span)
    return span instanceof Promise
      ? span.then(begun => begin(begun, query, context))
      : begin(span, query, context)
  }
}

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
