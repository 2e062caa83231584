import { type Attributes, isSpanContextValid, SeverityNumber, type SpanContext } from '@opentelemetry/api'
import { ExportResultCode, millisToHrTime } from '@opentelemetry/core'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { describeResource } from '../../lib/telemetry/describe-resource.ts'
import { type LogLevel, levelOf } from '../../lib/telemetry/log-line.ts'
import type { Resource } from '../../lib/telemetry/resource.ts'
import { fieldsOf, type LogRecord } from '../record.ts'
import type { Refusal, Target } from './contract.ts'

const TOO_LARGE = 413
/** The statuses below 500 with which a receiver asks to try again: a time limit, and too many requests. */
const TEMPORARY = [408, 429]

const severity: Readonly<Record<LogLevel, SeverityNumber>> = {
  fatal: SeverityNumber.FATAL,
  error: SeverityNumber.ERROR,
  warn: SeverityNumber.WARN,
  info: SeverityNumber.INFO,
  debug: SeverityNumber.DEBUG,
  trace: SeverityNumber.TRACE,
}

/**
 * Creates a target that sends logs by OTLP/HTTP (Protobuf), with OpenTelemetry's exporter.
 * @param url the complete URL to which logs are sent
 */
export function createOtlpTarget(url: string): Target {
  const exporter = new OTLPLogExporter({ url })

  /** @throws the exporter's error, which has the status of an answer as `code` */
  const send = (records: readonly LogRecord[]) =>
    new Promise<void>((resolve, reject) =>
      exporter.export(describeAll(records), ({ code, error }) =>
        code === ExportResultCode.SUCCESS
          ? resolve()
          : reject(error ?? new Error('the receiver refused the lines')),
      ),
    )

  async function deliver(records: readonly LogRecord[]): Promise<readonly Refusal[]> {
    try {
      await send(records)
      return []
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown }
      if (!isPermanent(code)) throw error
      // A receiver that finds an export too large may take each half of it.
      const half = Math.floor(records.length / 2)
      if (code === TOO_LARGE && half > 0)
        return [...(await deliver(records.slice(0, half))), ...(await deliver(records.slice(half)))]
      return [{ records, why: `${url} answered with ${code} ${message}` }]
    }
  }

  return {
    name: 'otlp',
    deliver,
    // `exporter.shutdown()` is not called: it waits for exports that were given up, and releases nothing.
    close: async () => {},
  }
}

/** Whether a receiver that answers with this status would refuse the same export again and again. */
const isPermanent = (code: unknown): code is number =>
  typeof code === 'number' && code >= 300 && code < 500 && !TEMPORARY.includes(code)

/** Records of one writer share one resource object, so that the exporter sends the resource once. */
function describeAll(records: readonly LogRecord[]): ReadableLogRecord[] {
  const resources = new Map<string, ReturnType<typeof resourceFromAttributes>>()
  return records.map(record => {
    const { service, version, host, pid, instance, ...fields } = fieldsOf(record)
    const own = { service, version, host, pid, instance } as Resource
    const key = JSON.stringify(own)
    const resource = resources.get(key) ?? resourceFromAttributes(describeResource(own))
    resources.set(key, resource)
    return describe(fields, resource)
  })
}

/** Loggers name the message and the time differently: `message` or `msg`, `time` or `timestamp`. */
function describe(
  { time, timestamp, level, message, msg, ...fields }: Readonly<Record<string, unknown>>,
  resource: ReadableLogRecord['resource'],
): ReadableLogRecord {
  const { attributes, spanContext } = takeSpanContext(fields)
  const known = levelOf(level)
  return {
    hrTime: millisToHrTime(toMillis(time ?? timestamp) ?? Date.now()),
    hrTimeObserved: millisToHrTime(Date.now()),
    severityNumber: known ? severity[known] : SeverityNumber.UNSPECIFIED,
    severityText: known ?? String(level),
    body: String(message ?? msg),
    attributes,
    ...(spanContext && { spanContext }),
    droppedAttributesCount: 0,
    resource,
    instrumentationScope: { name: 'logger-transport' },
  } as ReadableLogRecord
}

/** Reads a time as loggers write it: milliseconds since the epoch, or by ISO 8601. */
function toMillis(given: unknown): number | undefined {
  const millis = typeof given === 'number' ? given : Date.parse(String(given))
  return Number.isFinite(millis) ? millis : undefined
}

/** Separates the trace context of a line from its other fields. Fields that are no valid context stay as they are. */
function takeSpanContext(fields: Readonly<Record<string, unknown>>): {
  readonly attributes: Attributes
  readonly spanContext?: SpanContext
} {
  const { trace_id: traceId, span_id: spanId, trace_flags: flags, ...attributes } = fields
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(String(flags), 16) & 0xff,
  } as SpanContext
  return isSpanContextValid(spanContext)
    ? { attributes: attributes as Attributes, spanContext }
    : { attributes: fields as Attributes }
}
