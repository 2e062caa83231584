import type { Plain } from '../../../workers/protocol.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { Compute, Served } from '../compute/contract.ts'
import type { Logging } from '../logging/contract.ts'
import type { InThreads, ThreadCall } from '../upstream/contract.ts'
import type { AnswerQuery, Encoded, MakeAnswer } from './contract.ts'
import { forEachAnswer, orderAnswers } from './order-answers.ts'
import { packInput, unpackReport } from './thread-protocol.ts'

/** Lets a thread make a whole answer. The main thread sends the query, and writes the span and the log lines that come back. */
export function answerByThread(
  beginCall: InThreads['call'],
  serve: NonNullable<Compute['serve']>,
  logging: Pick<Logging, 'takeLines'>,
): MakeAnswer {
  const finish = (call: ThreadCall, served: Served | Problem): Encoded => {
    try {
      if (served instanceof Problem) throw served
      const { outcome, report } = served
      if (report) {
        const { times, lines } = unpackReport(report as Plain[])
        call.end(times)
        logging.takeLines(lines)
      }
      if (outcome instanceof Problem) throw outcome
      return outcome
    } finally {
      // A call that has ended stays as it is.
      call.drop()
    }
  }

  const make = (call: ThreadCall, query: AnswerQuery, context: RequestContext) =>
    new Promise<Encoded>((resolve, reject) => {
      serve(context, packInput(query, call.headers), taskNames[query.name], served => {
        try {
          resolve(finish(call, served))
        } catch (error) {
          reject(error)
        }
      })
    })

  return (query, context) => {
    const call = beginCall('orders', context.span)
    return call instanceof Promise
      ? call.then(begun => make(begun, query, context))
      : make(call, query, context)
  }
}

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
