import {
  createRedactor,
  type LogFields,
  type LogLevel,
  loggerOf,
  logLevels,
} from '../../../lib/telemetry/logger.ts'
import { requestContext } from '../../context.ts'
import { countLines } from '../../server/telemetry.ts'
import type { CreateLogSink, Logging, LoggingOptions, LogSink } from './contract.ts'

const NO_FIELDS: LogFields = Object.freeze({})

type Options = Omit<LoggingOptions, 'lineFields' | 'lineText' | 'report'> & {
  readonly logLevel: LogLevel
  /** Names of fields whose values are secret. */
  readonly logRedact: readonly string[]
}

/** The part that all implementations have in common: levels, sequence numbers, the fields of the request, redaction. */
export async function createLogging<Sink extends LogSink, Own>(
  createSink: CreateLogSink<Sink, Own>,
  options: Options & Own,
): Promise<Logging<Sink>> {
  const redact = createRedactor(options.logRedact)
  const enabled = logLevels.indexOf(options.logLevel)
  let sequence = 0
  let sink: Sink | undefined

  const log = (at: LogLevel) => {
    const rank = logLevels.indexOf(at)
    return (message: string, fields?: LogFields) => {
      if (rank > enabled) return
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
    counts: () => countLines(sink, sequence),
    sink,
    close: () => sink.close(),
  }
}
