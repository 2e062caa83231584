import {
  type AnyValue,
  type Attributes,
  isSpanContextValid,
  SeverityNumber,
  type SpanContext,
} from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { LogLevel } from '../../lib/telemetry/logger.ts'
import { describeResource } from '../../lib/telemetry/resource.ts'
import { levelNumbers, levelOf } from '../levels.ts'
import { fieldsOf, type LogRecord } from '../record.ts'

type Fields = Record<string, unknown>

const severity: Readonly<Record<LogLevel, SeverityNumber>> = {
  fatal: SeverityNumber.FATAL,
  error: SeverityNumber.ERROR,
  warn: SeverityNumber.WARN,
  info: SeverityNumber.INFO,
  debug: SeverityNumber.DEBUG,
  trace: SeverityNumber.TRACE,
}

/** Numbers since 1970, told by their size: from 1973 to the year 5138 the ranges of these units do not meet. */
const timeUnits: readonly (readonly [below: number, perMs: number])[] = [
  [1e8, Number.NaN],
  [1e11, 1e-3],
  [1e14, 1],
  [1e17, 1e3],
  [1e20, 1e6],
]

/** Level and time as pino writes them. `JSON.parse` would find the service's own fields of these names instead. */
const HEAD = /^\{"level":(?:\d+|"[^"\\]*"),"time":(?:\d+(?:\.\d+)?|"[^"\\]*")(?=[,}])/

/** Records of one writer share one resource object, so that the exporter sends the resource once. */
export function describeRecords(records: readonly LogRecord[]): ReadableLogRecord[] {
  const resources = new Map<string, ReadableLogRecord['resource']>()
  return records.map(record => {
    const described = describeResource(record.resource)
    const key = JSON.stringify(described)
    const resource = resources.get(key) ?? resourceFromAttributes(described)
    resources.set(key, resource)
    return describe(record, resource)
  })
}

/** What a line lacks, its record lacks. What none of the loggers has written is an attribute. */
function describe(record: LogRecord, resource: ReadableLogRecord['resource']): ReadableLogRecord {
  const fields = fieldsOf(record)
  const head: Fields = JSON.parse(`${HEAD.exec(record.line)?.[0] ?? '{'}}`)

  /** The first of these fields that `read` understands. It is then no attribute. */
  function take<Value>(names: readonly string[], read: (value: unknown) => Value | undefined) {
    for (const name of names) {
      const value = read(head[name] ?? fields[name])
      if (value === undefined) continue
      if (head[name] === undefined || head[name] === fields[name]) delete fields[name]
      return value
    }
    return undefined
  }

  const nowMs = Date.now()
  const timeMs = take(['time', 'timestamp', '@timestamp'], toMillis)
  const level = take(['level'], toLevel) ?? take(['severity', 'log.level'], toKnownLevel)
  // A pino numbers its levels and writes `msg`; then `message` is a field of the service. Others write `message`.
  const body = take(typeof level === 'number' ? ['msg', 'message'] : ['message', 'msg'], toBody)
  const spanContext = spanContextIn(fields)
  const known = levelOf(level)
  const { trace_id, span_id, trace_flags, ...others } = fields
  return {
    hrTime: millisToHrTime(timeMs ?? nowMs),
    hrTimeObserved: millisToHrTime(nowMs),
    severityNumber: known ? severity[known] : SeverityNumber.UNSPECIFIED,
    ...(level !== undefined && {
      severityText: known && levelNumbers[known] === level ? known : String(level),
    }),
    ...(body !== undefined && { body }),
    attributes: (spanContext ? others : fields) as Attributes,
    ...(spanContext && { spanContext }),
    droppedAttributesCount: 0,
    resource,
    instrumentationScope: { name: 'logger-transport' },
  }
}

const toBody = (given: unknown) => (given ?? undefined) as AnyValue | undefined

const toLevel = (given: unknown) =>
  typeof given === 'number' || typeof given === 'string' ? given : undefined

const toKnownLevel = (given: unknown) => (levelOf(given) ? (given as string | number) : undefined)

/** Reads a time as loggers write it: a number since 1970, or a date by ISO 8601 or RFC 9110. */
function toMillis(given: unknown): number | undefined {
  if (typeof given === 'string' && /^(\d{4}-\d\d|[A-Z][a-z]{2}, \d)/.test(given)) {
    const millis = Date.parse(given)
    return Number.isNaN(millis) ? undefined : millis
  }
  const number = typeof given === 'string' && /^\d+(\.\d+)?$/.test(given) ? Number(given) : given
  if (typeof number !== 'number') return undefined
  const [, perMs = Number.NaN] = timeUnits.find(([below]) => number < below) ?? []
  return Number.isNaN(perMs) ? undefined : number / perMs
}

/** The trace context of a line; undefined if its fields are no valid context. */
function spanContextIn({ trace_id, span_id, trace_flags }: Fields): SpanContext | undefined {
  const isFlags = typeof trace_flags === 'string' || typeof trace_flags === 'number'
  const traceFlags = isFlags ? Number.parseInt(String(trace_flags), 16) & 0xff : 0
  const context = { traceId: trace_id, spanId: span_id, traceFlags } as SpanContext
  return isSpanContextValid(context) ? context : undefined
}
