import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Attributes } from '@opentelemetry/api'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import protobuf from 'protobufjs'
import { decodeMetrics } from '../apm-agent/otlp-metrics.ts'
import { type ReceivedBody, startCollector } from './collector.ts'

/** The parts of OpenTelemetry's collector protocol that tests look at. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4;
    string name = 5; uint32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; repeated Event events = 11; Status status = 15;
  }
  message Event { string name = 2; }
  message Status { string message = 2; uint32 code = 3; }
  message Logs { repeated ResourceLogs resource_logs = 1; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message LogRecord {
    fixed64 time_unix_nano = 1; uint32 severity_number = 2; string severity_text = 3; AnyValue body = 5; repeated KeyValue attributes = 6;
    fixed32 flags = 8; bytes trace_id = 9; bytes span_id = 10;
  }
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; List list_value = 5; Map map_value = 6;
    }
  }
  message List { repeated AnyValue values = 1; }
  message Map { repeated KeyValue values = 1; }
`)

export type ReceivedSpan = ReturnType<typeof describeSpan>

const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const KINDS = [undefined, 'INTERNAL', 'SERVER', 'CLIENT'] as const
const CODES = ['UNSET', 'OK', 'ERROR'] as const

/** A receiver of OTLP/HTTP that keeps all spans, the last metrics, and the paths and headers of its requests. */
export async function startOtlpReceiver(t: Pick<TestContext, 'after'>) {
  const spans: ReceivedSpan[] = []
  /** The last export of each process, by its resource's `service.instance.id`. */
  const metrics = new Map<unknown, readonly MetricData[]>()
  /** The resources of metrics. */
  const resources: Attributes[] = []
  const onBody = ({ path, body }: ReceivedBody) => {
    if (path === '/v1/traces') spans.push(...decodeSpans(body))
    else
      for (const { resource, metrics: received } of decodeMetrics(body)) {
        metrics.set(
          resource['service.instance.id'],
          received.map(({ metric }) => metric),
        )
        resources.push(resource)
      }
  }
  const { url, received } = await startCollector(t, [200], { headers: PROTOBUF, onBody })
  return { url, spans, metrics, resources, requests: received }
}

/** Number of different spans, of SERVER spans among them, and of spans that came again. */
export interface SpanCounts {
  readonly spans: number
  readonly serverSpans: number
  readonly repeated: number
}

/** Starts a receiver of OTLP/HTTP that counts different spans by their ids, and keeps nothing else. */
export async function startSpanReceiver() {
  const ids = new Set<string>()
  const counts = { spans: 0, serverSpans: 0, repeated: 0 }
  let close = () => {}
  const onBody = ({ path, headers, body }: ReceivedBody) => {
    received.length = 0
    if (path !== '/v1/traces') return
    const sent = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    // Objects of the library are enough here, and cheaper than plain ones.
    const { resourceSpans } = root.lookupType('Traces').decode(sent) as Message
    const sentSpans = resourceSpans.flatMap(({ scopeSpans }: Message) => scopeSpans.flatMap(spansOf))
    for (const { spanId, kind } of sentSpans) {
      const id = Buffer.from(spanId).toString('latin1')
      if (ids.has(id)) {
        counts.repeated++
        continue
      }
      ids.add(id)
      counts.spans++
      if (KINDS[kind] === 'SERVER') counts.serverSpans++
    }
  }
  const after = (end: unknown) => {
    close = end as () => void
  }
  const { url, received } = await startCollector({ after }, [200], { headers: PROTOBUF, onBody })
  return { url, counts: counts as SpanCounts, close }
}

// biome-ignore lint/suspicious/noExplicitAny: messages are described by the text above
type Message = any

const spansOf = ({ spans }: Message): Message[] => spans

const decode = (type: string, body: Buffer): Message =>
  root
    .lookupType(type)
    .toObject(root.lookupType(type).decode(body), { arrays: true, defaults: true, longs: Number })

const decodeSpans = (body: Buffer): ReceivedSpan[] =>
  decode('Traces', body).resourceSpans.flatMap(({ resource, scopeSpans }: Message) =>
    scopeSpans.flatMap(spansOf).map((span: Message) => describeSpan(span, resource)),
  )

const describeSpan = (span: Message, resource: Message) => ({
  name: span.name as string,
  kind: KINDS[span.kind as number],
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  /** Empty for a root span. */
  parentSpanId: hex(span.parentSpanId),
  startMs: span.startTimeUnixNano / 1e6,
  endMs: span.endTimeUnixNano / 1e6,
  attributes: toObject(span.attributes),
  status: {
    code: CODES[(span.status?.code ?? 0) as number] ?? 'UNSET',
    message: (span.status?.message ?? '') as string,
  },
  events: span.events.map(({ name }: Message) => name) as string[],
  resource: toObject(resource.attributes),
})

/** The log records of each resource in the body of an export request. */
export const decodeLogs = (body: Buffer) =>
  (decode('Logs', body).resourceLogs as Message[]).map(({ resource, scopeLogs }) => ({
    resource: toObject(resource.attributes),
    records: scopeLogs.flatMap(({ logRecords }: Message) => logRecords).map(describeRecord) as ReturnType<
      typeof describeRecord
    >[],
  }))

const describeRecord = (record: Message) => ({
  timeMs: record.timeUnixNano / 1e6,
  severityNumber: record.severityNumber as number,
  severityText: record.severityText as string,
  body: readValue(record.body),
  attributes: toObject(record.attributes),
  flags: record.flags as number,
  traceId: hex(record.traceId),
  spanId: hex(record.spanId),
})

const hex = (bytes: Buffer): string => Buffer.from(bytes).toString('hex')

/** @returns undefined if there is no value, null if there is one without content */
function readValue(value: Message): unknown {
  if (!value) return undefined
  if (value.listValue) return value.listValue.values.map(readValue)
  return value.mapValue ? toObject(value.mapValue.values) : (Object.values(value)[0] ?? null)
}

const toObject = (pairs: readonly Message[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]))
