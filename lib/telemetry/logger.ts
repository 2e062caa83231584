import { type LogFields, type LogLevel, logLevels } from './log-line.ts'

/**
 * Writes structured lines with levels. Every line is a JSON object with `time` (milliseconds since the epoch), `level`,
 * the resource, `sequence` (the number of the line in its thread, from 1; the lines of a worker thread have its
 * `thread.id` too), `requestId` of the running request, and if that has a span, its `trace_id`, `span_id` and
 * `trace_flags` (OpenTelemetry's names for logs in other formats than OTLP), `message`, and the given fields, in which
 * secrets are redacted.
 */
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

/** Makes a logger. @param log makes the function of a level */
export const loggerOf = (log: (level: LogLevel) => Logger[LogLevel]): Logger =>
  Object.fromEntries(logLevels.map(level => [level, log(level)])) as Logger
