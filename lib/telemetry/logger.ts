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

/** The levels from the most to the least important. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** The fields of a line besides its message. They are written as JSON. */
export type LogFields = Readonly<Record<string, unknown>>

/** The fields that every log line of a request has, as JSON, each after a comma. */
export const logTextOf = ({ requestId, traceparent }: LoggedRequest): string =>
  `,"requestId":${JSON.stringify(requestId)}${describeTrace(traceparent)}`

export interface LoggedRequest {
  readonly requestId: string
  /** The W3C trace context of its span. */
  readonly traceparent?: string | undefined
}

/** A trace context holds hexadecimal digits only, which need no escaping. */
const describeTrace = (traceparent: string | undefined): string =>
  traceparent === undefined
    ? ''
    : `,"trace_id":"${traceparent.slice(3, 35)}","span_id":"${traceparent.slice(36, 52)}","trace_flags":"${traceparent.slice(53, 55)}"`

const REDACTED = '[redacted]'
const MAX_DEPTH = 4
/** The names of most fields are constants. Others must not fill the memory. */
const MOST_NAMES = 1000

/**
 * Replaces the values of fields with these names by `[redacted]`. Case does not matter, and nested fields are replaced
 * down to a depth of four. Redaction happens here and not in the libraries, so that it is the same for all of them and
 * no secret leaves the process. Fields without a secret are passed on without a copy.
 */
export function createRedactor(names: readonly string[]): (fields: LogFields) => LogFields {
  const secret = new Set(names.map(name => name.toLowerCase()))
  const known = new Map<string, boolean>()

  function isSecret(name: string): boolean {
    const answer = known.get(name)
    if (answer !== undefined) return answer
    const isIt = secret.has(name.toLowerCase())
    if (known.size < MOST_NAMES) known.set(name, isIt)
    return isIt
  }

  function redact(fields: LogFields, depth: number): LogFields {
    let copy: Record<string, unknown> | undefined
    for (const name in fields) {
      const value = fields[name]
      const safe = isSecret(name)
        ? REDACTED
        : isFields(value) && depth < MAX_DEPTH
          ? redact(value, depth + 1)
          : value
      if (safe === value) continue
      copy ??= { ...fields }
      copy[name] = safe
    }
    return copy ?? fields
  }
  return fields => redact(fields, 1)
}

const isFields = (value: unknown): value is LogFields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
