import pino from 'pino'
import type { RequestContext } from '../../context.ts'
import type { Logger, ThreadLogging } from './contract.ts'
import { pinoOptions } from './pino-options.ts'
import { createRedactor } from './redact.ts'

/**
 * Formats log lines in a thread for `Logging.takeLines` of the main thread, which numbers them. So the lines of an answer
 * arrive together with the answer: if the thread dies before, the answer is made again, and its lines are written once.
 */
export function createLineFormatter({ redacted }: ThreadLogging) {
  const redact = createRedactor(redacted)
  let text = ''
  let writing: Pick<RequestContext, 'logText'> | undefined
  const destination = {
    write(line: string) {
      // The main thread adds the beginning of the line.
      text += line.slice(1)
    },
  }
  const lineText = () => writing?.logText ?? ''
  const logger = pino({ ...pinoOptions({ lineText }), base: null }, destination)
  return {
    /** A logger for the lines of a request, until they are taken. */
    loggerFor(context: Pick<RequestContext, 'logText'>): Pick<Logger, 'info'> {
      return {
        info(message, fields = {}) {
          writing = context
          logger.info(redact(fields), message)
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
