import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import { createOrdersServer } from '../orders/server.ts'
import type { ReceivedSpan } from './otlp-receiver.ts'

export const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
export const UNSAMPLED = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-00'

/** For these seeds the upstream fails, hangs, or breaks the connection. */
export const FAILS = 500
export const HANGS = 501
export const BREAKS = 502

/** Answers like the orders service, except for the seeds above. */
export function createUpstream(): Server {
  const orders = createOrdersServer({ latencyMs: 0 })
  return createServer((request: IncomingMessage, response: ServerResponse) => {
    const seed = Number(new URL(request.url as string, 'http://localhost').searchParams.get('seed'))
    if (seed === FAILS) response.writeHead(500).end()
    else if (seed === BREAKS) request.socket.destroy()
    else if (seed === HANGS) upstreamOf(request).emit('hanging', response)
    else orders.emit('request', request, response)
  })
}
const upstreamOf = (request: IncomingMessage) => (request.socket as unknown as { server: Server }).server

/** The known differences between the implementations, with their reasons. Everything else is compared. */
const differences: readonly { what: string; why: string; leaveOut(span: Comparable): void }[] = [
  {
    what: 'network.peer.* and http.request.method_original of CLIENT spans',
    why: 'they say again what server.* and http.request.method say',
    leaveOut({ attributes }) {
      for (const key of ['network.peer.address', 'network.peer.port', 'http.request.method_original'])
        delete attributes[key]
    },
  },
  {
    what: 'error.type of SERVER spans',
    why: 'the semantic conventions require it for 5xx; OpenTelemetry for Node.js has it in the metric only',
    leaveOut(span) {
      if (span.kind === 'SERVER') delete span.attributes['error.type']
    },
  },
  {
    what: 'status messages and exception events',
    why: 'text of any length; the log line with the same trace id has it',
    leaveOut(span) {
      span.message = ''
      span.events = []
    },
  },
]

interface Comparable {
  readonly kind: string | undefined
  readonly name: string
  readonly parent: string
  readonly traceId: string
  readonly status: string
  message: string
  events: readonly string[]
  readonly attributes: Record<string, unknown>
}

/** Reduces a span to the values that are equal in every run: ids, ports and times are removed. */
export function comparable(span: ReceivedSpan, all: readonly ReceivedSpan[]): Comparable {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId)
  const attributes = Object.entries(span.attributes).map(([key, value]) => [
    key,
    key.endsWith('_ms') || key.endsWith('.port') ? typeof value : value,
  ])
  const result = {
    kind: span.kind,
    name: span.name,
    parent: parent ? parent.name : span.parentSpanId,
    traceId: SAMPLED.includes(span.traceId) ? span.traceId : 'its own',
    status: span.status.code,
    message: span.status.message,
    events: span.events,
    attributes: Object.fromEntries(attributes.sort(([a], [b]) => String(a).localeCompare(String(b)))),
  }
  for (const { leaveOut } of differences) leaveOut(result)
  return result
}

/** Metrics whose values differ between two runs of the same process. */
const CHANGING = /^(v8js.gc.duration|v8js.resource.active)$/

/** A metric without its measurements. The number of requests is kept, because it must be equal. */
export function comparableMetric({ descriptor: { name, unit }, dataPointType, dataPoints }: MetricData) {
  const series = dataPoints.map(({ attributes, value }) => {
    const known = Object.entries({ ...attributes, ...('server.port' in attributes && { 'server.port': 0 }) })
    const histogram = typeof value === 'object' && 'buckets' in value ? value : undefined
    return JSON.stringify([known.sort(), histogram?.count, histogram?.buckets.boundaries])
  })
  return { name, unit, dataPointType, series: CHANGING.test(name) ? 'varies' : series.sort() }
}

export const sorted = <T>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
