import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Attributes } from '@opentelemetry/api'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import protobuf from 'protobufjs'
import { decodeMetrics } from '../apm-agent/otlp-metrics.ts'
import { listen } from '../lib/http/listen.ts'

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
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`)

export interface ReceivedSpan {
  readonly name: string
  readonly kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | undefined
  readonly traceId: string
  readonly spanId: string
  /** Empty for a root span. */
  readonly parentSpanId: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: 'UNSET' | 'OK' | 'ERROR'; readonly message: string }
  readonly events: readonly string[]
  readonly resource: Readonly<Record<string, unknown>>
}

const KINDS = [undefined, 'INTERNAL', 'SERVER', 'CLIENT'] as const
const CODES = ['UNSET', 'OK', 'ERROR'] as const

/** A receiver of OTLP/HTTP that keeps all spans, the last metrics, and the paths and headers of its requests. */
export async function startOtlpReceiver(t: Pick<TestContext, 'after'>) {
  const spans: ReceivedSpan[] = []
  /** The last export of each process, by its resource's `service.instance.id`. */
  const metrics = new Map<unknown, readonly MetricData[]>()
  /** The resources of metrics. */
  const resources: Attributes[] = []
  const requests: { readonly path: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url, headers: request.headers })
    const body = await buffer(request)
    if (request.url === '/v1/traces') spans.push(...decodeSpans(body))
    else
      for (const { resource, scopes } of decodeMetrics(body)) {
        metrics.set(
          resource['service.instance.id'],
          scopes.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)),
        )
        resources.push(resource)
      }
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  return { url, spans, metrics, resources, requests }
}

// biome-ignore lint/suspicious/noExplicitAny: messages are described by the text above
const decode = (type: string, body: Buffer): any =>
  root.lookupType(type).toObject(root.lookupType(type).decode(body), { defaults: true, longs: Number })

function decodeSpans(body: Buffer): ReceivedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return decode('Traces', body).resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    scopeSpans.flatMap(({ spans }: any) => spans.map((span: any) => describe(span, resource))),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function describe(span: any, resource: any): ReceivedSpan {
  return {
    name: span.name,
    kind: KINDS[span.kind],
    traceId: span.traceId.toString('hex'),
    spanId: span.spanId.toString('hex'),
    parentSpanId: Buffer.from(span.parentSpanId).toString('hex'),
    startMs: span.startTimeUnixNano / 1e6,
    endMs: span.endTimeUnixNano / 1e6,
    attributes: describeAttributes(span.attributes),
    status: { code: CODES[span.status?.code ?? 0] ?? 'UNSET', message: span.status?.message ?? '' },
    events: span.events.map(({ name }: { name: string }) => name),
    resource: describeAttributes(resource.attributes),
  }
}

const describeAttributes = (attributes: { key: string; value: Record<string, unknown> }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
