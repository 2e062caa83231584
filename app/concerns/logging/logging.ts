import { type LogFields, type LogLevel, logLevels } from '../../../lib/log-line.ts'
import { requestContext } from '../../context.ts'
import type { CreateLogSink, Logging, LoggingOptions, LogSink } from './contract.ts'
import { loggerOf } from './logger-of.ts'
import { createRedactor } from './redact.ts'

const NO_FIELDS: LogFields = Object.freeze({})

type Options = Omit<LoggingOptions, 'lineFields' | 'lineText' | 'report'> & {
  readonly logLevel: LogLevel
  /** Names of fields whose values are secret. */
  readonly logRedact: readonly string[]
}

/** The part that all implementations have in common: levels, sequence numbers, the fields of the request, redaction. */
export async function createLogging(createSink: CreateLogSink, options: Options): Promise<Logging> {
  const redact = createRedactor(options.logRedact)
  let level = options.logLevel
  let enabled = logLevels.indexOf(level)
  let emitted = 0
  let sink: LogSink | undefined

  const log = (at: LogLevel) => {
    const rank = logLevels.indexOf(at)
    return (message: string, fields?: LogFields) => {
      if (rank > enabled) return
      emitted++
      sink?.write(at, message, fields ? redact(fields) : NO_FIELDS)
    }
  }
  const logger = loggerOf(log)

  sink = await createSink({
    ...options,
    lineFields: () => ({ sequence: emitted, ...requestContext.getStore()?.logFields }),
    lineText: () => `,"sequence":${emitted}${requestContext.getStore()?.logText ?? ''}`,
    report: (at, ...line) => logger[at](...line),
  })
  return {
    logger,
    inThreads: sink.writeFormatted && { redacted: options.logRedact },
    takeLines(lines) {
      if (logLevels.indexOf('info') > enabled) return
      const emittedBefore = emitted
      let numbered = ''
      for (let from = 0, end = 0; from < lines.length; from = end) {
        end = lines.indexOf('\n', from) + 1
        numbered += `{"sequence":${++emitted},${lines.slice(from, end)}`
      }
      if (numbered) sink.writeFormatted?.('info', numbered, emitted - emittedBefore)
    },
    get level() {
      return level
    },
    setLevel(changed) {
      level = changed
      enabled = logLevels.indexOf(level)
    },
    counts: () => ({ emitted, dropped: sink.dropped() }),
    pretendFull: sink.pretendFull,
    close: () => sink.close(),
  }
}
