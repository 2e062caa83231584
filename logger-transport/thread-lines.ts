import { threadId } from 'node:worker_threads'
import { logLevels } from '../lib/telemetry/log-line.ts'
import type { FormattedLines, Logger, ThreadLogging } from '../lib/telemetry/logger.ts'
import { createRedactor } from '../lib/telemetry/redact.ts'
import { createLineFormat } from './line-format.ts'

const INFO = logLevels.indexOf('info')

/**
 * Formats and numbers log lines in a thread, which the main thread writes. The lines of an answer arrive
 * together with the answer: if the thread dies before, the answer is made again, and its lines are written once.
 */
export function createLineFormatter({ countsOnly, redacted, enabled }: ThreadLogging) {
  const redact = createRedactor(redacted)
  let sequence = 0
  let text = ''
  let count = 0
  let writing = ''
  const lineText = () => `,"sequence":${sequence},"thread.id":${threadId}${writing}`
  const format = createLineFormat({ lineText })
  return {
    /** A logger for the lines of a request, until they are taken. @param request its fields as JSON, each after a comma */
    loggerFor(request: string): Pick<Logger, 'info'> {
      return {
        info(message, fields = {}) {
          if (INFO > (enabled[0] as number)) return
          count++
          if (countsOnly) return
          writing = request
          sequence++
          text += format('info', message, redact(fields))
        },
      }
    },
    /** Returns the lines since the last call. */
    take(): FormattedLines {
      const taken = { text, count }
      text = ''
      count = 0
      return taken
    },
  }
}
