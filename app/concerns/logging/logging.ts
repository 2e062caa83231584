import { type LogFields, type LogLevel, logLevels } from '../../../lib/telemetry/log-line.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { createRedactor } from '../../../lib/telemetry/redact.ts'
import { requestContext } from '../../context.ts'
import type { CreateLogSink, Logging, LoggingOptions, LogSink } from './contract.ts'

const NO_FIELDS: LogFields = Object.freeze({})

type Options = Omit<LoggingOptions, 'lineFields' | 'lineText' | 'report'> & {
  readonly logLevel: LogLevel
  /** Names of fields whose values are secret. */
  readonly logRedact: readonly string[]
}

/** The part that all implementations have in common: levels, sequence numbers, the fields of the request, redaction. */
export async function createLogging(createSink: CreateLogSink, options: Options): Promise<Logging> {
  const redact = createRedactor(options.logRedact)
  const enabled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const setLevel = (level: LogLevel) => {
    enabled[0] = logLevels.indexOf(level)
  }
  setLevel(options.logLevel)
  let sequence = 0
  let taken = 0
  let sink: LogSink | undefined

  const log = (at: LogLevel) => {
    const rank = logLevels.indexOf(at)
    return (message: string, fields?: LogFields) => {
      if (rank > (enabled[0] as number)) return
      sequence++
      sink?.write(at, message, fields ? redact(fields) : NO_FIELDS)
    }
  }
  const logger = loggerOf(log)

  sink = await createSink({
    ...options,
    lineFields: () => ({ sequence, ...requestContext.getStore()?.logFields }),
    lineText: () => `,"sequence":${sequence}${requestContext.getStore()?.logText ?? ''}`,
    report: (at, ...line) => logger[at](...line),
  })
  return {
    logger,
    inThreads: sink.writeFormatted && {
      countsOnly: sink.countsOnly ?? false,
      redacted: options.logRedact,
      enabled,
    },
    takeLines({ text, count }) {
      if (count === 0) return
      taken += count
      sink.writeFormatted?.('info', text, count)
    },
    get level() {
      return logLevels[enabled[0] as number] as LogLevel
    },
    setLevel,
    counts: () => ({ emitted: sequence + taken, dropped: sink.dropped() }),
    pretendFull: sink.pretendFull,
    close: () => sink.close(),
  }
}
