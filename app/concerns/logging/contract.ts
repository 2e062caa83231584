import type { LogFields, LogLevel } from '../../../lib/log-line.ts'
import type { SignalCounts } from '../../../lib/processes/protocol.ts'
import type { Resource } from '../../../lib/resource.ts'

/**
 * Levelled structured lines. Every line is a JSON object with `time` (milliseconds since the epoch), `level`, the
 * resource, `sequence` (the number of the line in this process, from 1), `requestId` and `traceId` of the running
 * request, `message`, and the fields given, secrets redacted.
 */
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

/** Where lines go from here; the implementation of the concern behind the `Logger`. */
export interface LogSink {
  /** Takes a line at an enabled level. `lineFields` answers sequence, request id and trace id of this very line. */
  write(level: LogLevel, message: string, fields: LogFields): void
  /** Lines that never reached the destination. */
  dropped(): number
  /** As if its disk bound were reached, or no more: for fault switches. Absent where there is none. */
  pretendFull?(isFull: boolean): void
  /** Flushes what is buffered. */
  close(): Promise<void>
}

export interface LoggingOptions {
  /** The destination of the implementations in process; the transport's with `sidecar`. */
  readonly logFile: string
  /** Where `sidecar` leaves its segments. */
  readonly logDir: string
  /** `sidecar` may also write to stdout, for a pipe. */
  readonly logTo: 'segments' | 'stdout'
  /** Bounds of `sidecar`, in memory and on disk. */
  readonly logMemoryMib: number
  readonly logDiskMib: number
  readonly resource: Resource
  /** Sequence, request id and trace id of the line that is being written, as a new object. */
  lineFields(): Record<string, unknown>
  /** Writes a line of logging's own. */
  report(level: LogLevel, message: string, fields: LogFields): void
}

export type CreateLogSink = (options: LoggingOptions) => Promise<LogSink>

/** Logging as the app uses it. */
export interface Logging {
  readonly logger: Logger
  readonly level: LogLevel
  setLevel(level: LogLevel): void
  /** Lines at an enabled level so far. */
  counts(): Pick<SignalCounts, 'emitted' | 'dropped'>
  /** The sink's, where it has one. */
  readonly pretendFull: LogSink['pretendFull']
  close(): Promise<void>
}
