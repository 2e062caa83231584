import type { SignalCounts } from '../../../lib/processes/protocol.ts'
import type { LogFields, LogLevel } from '../../../lib/telemetry/log-line.ts'
import type { FormattedLines, Logger, ThreadLogging } from '../../../lib/telemetry/logger.ts'
import type { Resource } from '../../../lib/telemetry/resource.ts'

/** The implementation of the concern behind the `Logger`: it brings lines to their destination. */
export interface LogSink {
  /** Takes a line at an enabled level. `lineFields` and `lineText` return the fields of exactly this line. */
  write(level: LogLevel, message: string, fields: LogFields): void
  /**
   * Takes lines that are formatted already, each with its newline and without the resource. Absent if the sink formats
   * all lines itself.
   */
  writeFormatted?(level: LogLevel, lines: string, count: number): void
  /** True if the sink only counts lines, so that threads need not format them. */
  readonly countsOnly?: boolean
  /** Number of lines that never reached the destination. */
  dropped(): number
  /**
   * Makes the sink behave as if its disk limit were reached, or ends that; fault switches use it. Absent if the sink
   * has no limit.
   */
  pretendFull?(isFull: boolean): void
  /** Flushes buffered lines. */
  close(): Promise<void>
}

export interface LoggingOptions {
  /** The destination of the in-process implementations; with `sidecar` it is the destination of logger-transport. */
  readonly logFile: string
  /** The directory of the segments of `sidecar`. */
  readonly logDir: string
  /** The output of `sidecar`: segments, or stdout for a pipe. */
  readonly logTo: 'segments' | 'stdout'
  /** The limits of `sidecar` in memory and on disk. */
  readonly logMemoryMib: number
  readonly logDiskMib: number
  readonly resource: Resource
  /** Sequence, request id and trace context of the line that is being written, as a new object. */
  lineFields(): Record<string, unknown>
  /** The same fields as JSON, each after a comma: `,"sequence":1,"requestId":"…"`. */
  lineText(): string
  /** Writes a line about logging itself. */
  report(level: LogLevel, message: string, fields: LogFields): void
}

export type CreateLogSink = (options: LoggingOptions) => Promise<LogSink>

/** Logging as the app uses it. */
export interface Logging {
  readonly logger: Logger
  /** For threads that format lines. Absent if this thread has to format all lines. */
  readonly inThreads: ThreadLogging | undefined
  /** Writes lines of level `info` that a thread has formatted. */
  takeLines(lines: FormattedLines): void
  readonly level: LogLevel
  setLevel(level: LogLevel): void
  /** Numbers of lines at an enabled level so far. */
  counts(): Pick<SignalCounts, 'emitted' | 'dropped'>
  /** The function of the sink, if it has one. */
  readonly pretendFull: LogSink['pretendFull']
  close(): Promise<void>
}
