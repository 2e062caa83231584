import type { LogFields, Logger, LogLevel } from '../../../lib/telemetry/logger.ts'
import type { Resource } from '../../../lib/telemetry/resource.ts'
import type { ReadLineCounts } from '../../server/telemetry.ts'

/** The implementation of the concern behind the `Logger`: it brings lines to their destination. */
export interface LogSink {
  /** Takes a line at an enabled level. `lineFields` and `lineText` return the fields of exactly this line. */
  write(level: LogLevel, message: string, fields: LogFields): void
  close(): Promise<void>
}

/** Numbers of lines that a sink has taken, and that never reached the destination. */
export interface LineCounts {
  readonly emitted: number
  readonly dropped: number
}

export interface LoggingOptions {
  /** The destination of the in-process implementations; with `sidecar` it is the destination of logger-transport. */
  readonly logFile: string
  readonly resource: Resource
  /** Sequence, request id and trace context of the line that is being written, as a new object. */
  lineFields(): Record<string, unknown>
  /** The same fields as JSON, each after a comma: `,"sequence":1,"requestId":"…"`. */
  lineText(): string
  /** Writes a line about logging itself. */
  report(level: LogLevel, message: string, fields: LogFields): void
}

export type CreateLogSink<Sink extends LogSink = LogSink, Own = unknown> = (
  options: LoggingOptions & Own,
) => Promise<Sink>

export interface Logging<Sink extends LogSink = LogSink> {
  readonly logger: Logger
  readonly counts: ReadLineCounts
  /** The implementation, with what it offers besides. */
  readonly sink: Sink
  close(): Promise<void>
}
