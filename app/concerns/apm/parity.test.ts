import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import { createOrdersServer } from '../../../orders/server.ts'
import type { ReceivedSpan } from '../../../test/otlp-receiver.ts'
import { startTracedApp } from '../../../test/traced-app.ts'
import { type Implementation, namesOf } from '../../concerns.ts'

const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const UNSAMPLED = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-00'

/** For these seeds the upstream fails, hangs, or breaks the connection. */
const FAILS = 500
const HANGS = 501
const BREAKS = 502

/** Makes requests with every outcome, in the same order for every implementation. */
async function makeRequests(t: TestContext, apm: Implementation<'apm'>) {
  const upstream = createUpstream()
  const app = await startTracedApp(t, apm, upstream, {
    composition: { framework: 'http', compute: 'processes', logging: 'none' },
    threads: 1,
    metricIntervalMs: 60_000,
  })
  const statuses = [
    await app.ask('/demo?seed=1', { traceparent: SAMPLED }),
    await app.ask('/demo?seed=1', { traceparent: UNSAMPLED }),
    await app.ask('/hello'),
    await app.ask('/page?seed=1', { traceparent: SAMPLED }),
    await app.ask('/hello?x', { traceparent: 'nonsense', tracestate: 'a=b' }),
    await app.ask('/cpu?size=99'),
    await app.ask('/nowhere/at/all'),
    await app.ask(`/demo?seed=${FAILS}`),
    await app.ask(`/demo?seed=${BREAKS}`),
  ]
  // The child process is stopped until the request has arrived; then it is killed together with its task.
  const [child] = execFileSync('pgrep', ['-P', String(app.pid)], { encoding: 'utf8' }).split('\n')
  process.kill(Number(child), 'SIGSTOP')
  const dying = app.ask('/cpu?size=8')
  await app.ask('/healthz')
  process.kill(Number(child), 'SIGKILL')
  statuses.push(await dying)

  const hanging = get(`${app.url}/demo?seed=${HANGS}`).on('error', () => {})
  const [request] = await once(upstream, 'hanging')
  hanging.destroy()
  await once(request, 'close')

  const { spans, metrics, counts } = await app.finish()
  return { statuses, spans, metrics, counts }
}

function createUpstream(): Server {
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
function comparable(span: ReceivedSpan, all: readonly ReceivedSpan[]): Comparable {
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
function comparableMetric({ descriptor: { name, unit }, dataPointType, dataPoints }: MetricData) {
  const series = dataPoints.map(({ attributes, value }) => {
    const known = Object.entries({ ...attributes, ...('server.port' in attributes && { 'server.port': 0 }) })
    const histogram = typeof value === 'object' && 'buckets' in value ? value : undefined
    return JSON.stringify([known.sort(), histogram?.count, histogram?.buckets.boundaries])
  })
  return { name, unit, dataPointType, series: CHANGING.test(name) ? 'varies' : series.sort() }
}

const sorted = <T>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

describe('the same requests', () => {
  let expected: ReturnType<typeof makeRequests> | undefined
  for (const name of namesOf('apm').filter(each => each !== 'none' && each !== 'opentelemetry')) {
    test(`leave the same telemetry from ${name} as from opentelemetry`, async t => {
      expected ??= makeRequests(t, 'opentelemetry')
      const [theirs, ours] = [await expected, await makeRequests(t, name)]
      assert.deepEqual(theirs.statuses, [200, 200, 200, 200, 400, 400, 404, 502, 502, 500])
      assert.deepEqual(ours.statuses, theirs.statuses)
      assert.deepEqual(
        sorted(ours.spans.map(span => comparable(span, ours.spans))),
        sorted(theirs.spans.map(span => comparable(span, theirs.spans))),
      )
      assert.deepEqual(
        sorted(ours.metrics.map(comparableMetric)),
        sorted(theirs.metrics.map(comparableMetric)),
      )
      for (const { startMs, endMs } of ours.spans) {
        assert.ok(endMs >= startMs)
        assert.ok(Math.abs(Date.now() - endMs) < 60_000, 'by the clock of the epoch')
      }
      for (const { counts } of [ours, theirs]) {
        assert.deepEqual(counts.spans, { emitted: theirs.spans.length, dropped: 0 })
        assert.equal(counts.metricPoints?.dropped, 0)
      }
    })
  }
})
