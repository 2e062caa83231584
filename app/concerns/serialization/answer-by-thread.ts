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
  call: InThreads['call'],
  serve: NonNullable<Compute['serve']>,
  logging: Pick<Logging, 'takeLines'>,
): MakeAnswer {
  return (answerQuery, context) =>
    call('orders', context.span, async (headers, onCalled) => {
      const input = packInput(answerQuery, headers)
      const { outcome, report } = await serve(context, input, taskNames[answerQuery.name])
      if (report) {
        const { times, lines } = unpackReport(report as Plain[])
        onCalled(times)
        logging.takeLines(lines)
      }
      if (outcome instanceof Problem) throw outcome
      return outcome
    })
}

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
