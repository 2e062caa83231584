import type { Plain } from '../../../workers/protocol.ts'
import { Problem } from '../../problems.ts'
import type { Compute } from '../compute/contract.ts'
import type { Logging } from '../logging/contract.ts'
import type { InThreads } from '../upstream/contract.ts'
import type { MakeAnswer } from './contract.ts'
import { forEachAnswer, orderAnswers } from './order-answers.ts'
import { packInput, unpackReport } from './thread-protocol.ts'

/** Lets a thread make a whole answer. The main thread sends the query, and writes the span and the log lines that come back. */
export function answerByThread(
  beginCall: InThreads['call'],
  serve: NonNullable<Compute['serve']>,
  logging: Pick<Logging, 'takeLines'>,
): MakeAnswer {
  return async (answerQuery, context) => {
    const begun = beginCall('orders', context.span)
    const call = begun instanceof Promise ? await begun : begun
    try {
      const input = packInput(answerQuery, call.headers)
      const { outcome, report } = await serve(context, input, taskNames[answerQuery.name])
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
}

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
