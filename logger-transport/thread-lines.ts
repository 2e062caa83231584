import { threadId } from 'node:worker_threads'
import { createRedactor, type Logger, type LogLevel } from '../lib/telemetry/logger.ts'
import type { FormattedLines } from '../lib/telemetry/thread-calls.ts'
import { createLineFormat } from './line-format.ts'

/** What a log sink has for threads that format their own lines. */
export interface ThreadLines {
  /** If true, the thread only counts its lines. */
  readonly countsOnly: boolean
  /** Takes lines that a thread has formatted, each with its newline and without the resource. */
  write(level: LogLevel, lines: string, count: number): void
}

export interface LineFormatterOptions extends Pick<ThreadLines, 'countsOnly'> {
  /** Names of fields whose values are secret. */
  readonly redacted: readonly string[]
}

/**
 * Formats and numbers log lines of level `info` in a thread, which the main thread writes. The lines of an answer arrive
 * together with the answer: if the thread dies before, the answer is made again, and its lines are written once.
 */
export function createLineFormatter({ countsOnly, redacted }: LineFormatterOptions) {
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
