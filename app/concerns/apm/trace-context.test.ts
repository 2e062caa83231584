import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Histogram } from '@opentelemetry/sdk-metrics'
import { createOrdersServer } from '../../../orders/server.ts'
import { first, startAppWithOrders } from '../../../test/traced-app.ts'
import { type Implementation, namesOf } from '../../concerns.ts'
import { patience } from '../../test-options.fixture.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`
const unsampled = `00-${TRACE_ID}-${PARENT_ID}-00`
/** The app refuses none of so many requests at once. */
const REQUESTS_AT_ONCE = 60

/** The framework with the least work of its own is the last of the list. */
const framework = namesOf('framework').at(-1) as Implementation<'framework'>

/** Implementations that pass no trace on, and why. */
const untraced: Readonly<Record<string, string>> = { none: 'it records nothing' }

for (const name of namesOf('apm').filter(name => !(name in untraced))) {
  describe(`apm/${name}`, () => {
    test('samples by the decision of a trace that a client began, and keeps requests apart', async t => {
      const traceOf = (seed: number) => seed.toString(16).padStart(32, 'a')
      const called = new Map<number, string>()
      const orders = createOrdersServer({ latencyMs: 20 }).on('request', ({ url, headers }) => {
        const seed = Number(new URL(url as string, 'http://orders').searchParams.get('seed'))
        called.set(seed, String(headers.traceparent).slice(3, 35))
      })
      const { ask, finish } = await startAppWithOrders(t, name, {
        composition: { framework },
        orders,
        traceRatio: 0,
        ...patience,
      })

      const seeds = Array.from({ length: REQUESTS_AT_ONCE }, (_, index) => index + 1)
      const answers = await Promise.all(
        seeds.map(seed =>
          ask(`/serialization?orders=1&seed=${seed}`, {
            traceparent: `00-${traceOf(seed)}-${PARENT_ID}-01`,
          }),
        ),
      )
      const carried = { tracestate: 'vendor=1', baggage: 'customer=7' }
      const withTrace = await ask('/demo?seed=1001', { traceparent, ...carried })
      const notSampled = await ask('/demo?seed=1002', { traceparent: unsampled })
      const withoutTrace = await ask('/demo?seed=1003', { tracestate: 'vendor=1' })
      const { spans, lines, metrics } = await finish()

      await t.test('a client decides whether its trace is sampled, and the ratio decides otherwise', () => {
        const sampled = spans.filter(({ attributes }) => attributes['http.route'] === '/demo')
        assert.deepEqual(
          sampled.map(({ traceId }) => traceId),
          [TRACE_ID],
        )
        assert.deepEqual(
          [withTrace, notSampled, withoutTrace].flatMap(({ upstreamHeaders }) =>
            upstreamHeaders.map(each => String(each.traceparent).slice(-2)),
          ),
          ['01', '00', '00'],
        )
        const durations = metrics.find(({ descriptor }) => descriptor.name === 'http.server.request.duration')
        const ofDemo = durations?.dataPoints.find(({ attributes }) => attributes['http.route'] === '/demo')
        assert.equal((ofDemo?.value as Histogram | undefined)?.count, 3, 'metrics are of all requests')
      })

      await t.test('each upstream call belongs to the request that made it, even if it had to wait', () => {
        assert.ok(answers.every(({ status }) => status === 200))
        for (const seed of seeds) assert.equal(called.get(seed), traceOf(seed))
        for (const { kind, parentSpanId, traceId } of spans) {
          const parent = spans.find(({ spanId }) => spanId === parentSpanId)
          if (kind === 'CLIENT') assert.equal(parent?.traceId, traceId)
        }
      })

      await t.test('trace state and baggage are passed on with their trace', () => {
        const [{ tracestate, baggage } = {}] = withTrace.upstreamHeaders
        assert.deepEqual({ tracestate, baggage }, carried)
      })

      await t.test('each log line of a request has the context of its SERVER span', () => {
        const ofRequests = lines.filter(({ message }) => message === 'order read')
        assert.ok(ofRequests.length > 0)
        const servers = new Map(spans.map(({ kind, traceId, spanId }) => [`${kind} ${spanId}`, traceId]))
        for (const { trace_id, span_id, trace_flags } of ofRequests) {
          const traceId = servers.get(`SERVER ${span_id}`)
          assert.deepEqual([trace_flags, traceId], traceId ? ['01', trace_id] : ['00', undefined])
        }
        assert.deepEqual([...new Set(ofRequests.map(line => line.trace_flags))].sort(), ['00', '01'])
      })

      await t.test('trace state is not passed on without its trace', () => {
        assert.equal(withoutTrace.upstreamHeaders.length, 1)
        assert.equal(withoutTrace.upstreamHeaders[0]?.tracestate, undefined)
      })
    })

    test('stops in order, and counts the spans that were lost, when nobody receives them', async t => {
      const { ask, stop } = await startAppWithOrders(t, name, {
        composition: { ...first, framework },
        otlpUrl: 'http://127.0.0.1:9',
        apmSocket: join(tmpdir(), 'nobody-listens-here.sock'),
      })
      assert.equal((await ask('/hello')).status, 200)
      const { spans } = await stop()
      assert.deepEqual(spans, { emitted: 1, dropped: 1 })
    })

    test('does what the variables of OpenTelemetry say', async t => {
      const { ask, finish } = await startAppWithOrders(t, name, {
        composition: { ...first, framework },
        otel: {
          OTEL_SERVICE_NAME: 'shop',
          OTEL_RESOURCE_ATTRIBUTES:
            'service.name=other,service.version=7,deployment.environment.name=a%20test,service.instance.id=same',
          OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours',
          OTEL_TRACES_SAMPLER: 'always_on',
        },
      })
      const { upstreamHeaders } = await ask('/demo?seed=1', { traceparent: unsampled })
      const { spans, resources, requests } = await finish()

      await t.test('OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES: spans and metrics have one resource', () => {
        const [resource] = resources
        assert.equal(resource?.['service.name'], 'shop')
        assert.equal(resource['service.version'], '7')
        assert.equal(resource['deployment.environment.name'], 'a test')
        assert.match(String(resource['service.instance.id']), /^[\da-f-]{36}$/, 'each process has its own')
        for (const span of spans) assert.deepEqual(span.resource, resource)
      })

      await t.test('OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS', () => {
        assert.deepEqual([...new Set(requests.map(({ path }) => path))].sort(), ['/v1/metrics', '/v1/traces'])
        for (const { headers } of requests) assert.equal(headers['x-team'], 'ours')
      })

      await t.test('OTEL_TRACES_SAMPLER: always_on samples a trace whose sender did not', () => {
        assert.equal(spans.filter(({ kind }) => kind === 'SERVER').length, 1)
        assert.deepEqual(
          upstreamHeaders.map(({ traceparent }) => String(traceparent).slice(-2)),
          ['01'],
        )
      })
    })
  })
}
