import type { SignalCounts } from '../../stack/protocol.ts'
import type { Resource } from '../resource.ts'

/**
 * Levelled structured lines. Every line is a JSON object with `time` (milliseconds since the epoch), `level`, the
 * resource, `requestId` and `traceId` of the running request, `message`, and the fields given.
 */
export interface Logger {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, unknown>>

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

export interface Logging {
  readonly logger: Logger
  /** Lines at an enabled level so far. `dropped` never reached the destination. */
  counts(): Pick<SignalCounts, 'emitted' | 'dropped'>
  /** Flushes what is buffered. */
  close(): Promise<void>
}

export interface LoggingOptions {
  readonly file: string
  readonly level: LogLevel
  readonly resource: Resource
  /** The fields of the running request, empty outside one. */
  requestFields(): LogFields
}

export type CreateLogging = (options: LoggingOptions) => Promise<Logging>
