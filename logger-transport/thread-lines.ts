import { threadId } from 'node:worker_threads'
import {
  createRedactor,
  type LoggedRequest,
  type Logger,
  type LogLevel,
  logLevels,
  logTextOf,
} from '../lib/telemetry/logger.ts'
import type { FormattedLines } from '../lib/telemetry/thread-calls.ts'
import { createLineFormat } from './line-format.ts'

/** What a log sink has for threads that format their own lines. */
export interface ThreadLines {
  /** How the thread formats them. */
  readonly format: ThreadLineOptions
  /** Takes lines of level `info` that a thread has formatted, without the resource. */
  write(lines: FormattedLines): void
}

export interface ThreadLineOptions {
  /** Whether the thread only counts its lines. */
  readonly countsOnly?: boolean
  /** The least important level that is logged. */
  readonly logLevel: LogLevel
  /** Names of fields whose values are secret. */
  readonly logRedact: readonly string[]
}

/**
 * Formats and numbers log lines of level `info` in a thread, which the main thread writes. The lines of an answer arrive
 * together with the answer: if the thread dies before, the answer is made again, and its lines are written once.
 */
export function createLineFormatter({ countsOnly, logLevel, logRedact }: ThreadLineOptions) {
  const isWritten = logLevels.indexOf('info') <= logLevels.indexOf(logLevel)
  const redact = createRedactor(logRedact)
  let sequence = 0
  let text = ''
  let count = 0
  let writing = ''
  const lineText = () => `,"sequence":${sequence},"thread.id":${threadId}${writing}`
  const format = createLineFormat({ lineText })
  return {
    /** A logger for the lines of a request, until they are taken. */
    loggerFor(request: LoggedRequest): Pick<Logger, 'info'> {
      const requestText = logTextOf(request)
      return {
        info(message, fields = {}) {
          if (!isWritten) return
          count++
          if (countsOnly) return
          writing = requestText
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
