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

/**
 * Reduces a span to the values that are equal in every run and by every implementation. Left out are ids, ports and times, and:
 * - network.peer.* and http.request.method_original, which say again what server.* and http.request.method say;
 * - error.type of SERVER spans, which the semantic conventions require for 5xx, and OpenTelemetry for Node.js has in the metric only;
 * - status messages and exception events, text of any length; the log line with the same trace id has it.
 */
export function comparable({ kind, name, ...span }: ReceivedSpan, all: readonly ReceivedSpan[]) {
  const leftOut = ['network.peer.address', 'network.peer.port', 'http.request.method_original']
  if (kind === 'SERVER') leftOut.push('error.type')
  const attributes = Object.entries(span.attributes)
    .filter(([key]) => !leftOut.includes(key))
    .map(([key, value]) => [key, /_ms$|\.port$/.test(key) ? typeof value : value])
  return {
    kind,
    name,
    parent: all.find(({ spanId }) => spanId === span.parentSpanId)?.name ?? span.parentSpanId,
    traceId: SAMPLED.includes(span.traceId) ? span.traceId : 'its own',
    status: span.status.code,
    attributes: Object.fromEntries(attributes.sort(([a], [b]) => String(a).localeCompare(String(b)))),
  }
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
