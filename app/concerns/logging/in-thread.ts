import type { RequestContext } from '../../context.ts'
import type { Logger, ThreadLogging } from './contract.ts'
import { createLineFormat } from './line-format.ts'
import { createRedactor } from './redact.ts'

/**
 * Formats log lines in a thread for `Logging.takeLines` of the main thread, which numbers them. So the lines of an answer
 * arrive together with the answer: if the thread dies before, the answer is made again, and its lines are written once.
 */
export function createLineFormatter({ redacted }: ThreadLogging) {
  const redact = createRedactor(redacted)
  let text = ''
  let writing: Pick<RequestContext, 'logText'> | undefined
  const format = createLineFormat({ lineText: () => writing?.logText ?? '' })
  return {
    /** A logger for the lines of a request, until they are taken. */
    loggerFor(context: Pick<RequestContext, 'logText'>): Pick<Logger, 'info'> {
      return {
        info(message, fields = {}) {
          writing = context
          // The main thread adds the beginning of the line.
          text += format('info', message, redact(fields)).slice(1)
        },
      }
    },
    /** Returns the lines since the last call, for `Logging.takeLines`; empty if there are none. */
    take(): string {
      const taken = text
      text = ''
      return taken
    },
  }
}
