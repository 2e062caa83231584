import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Histogram } from '@opentelemetry/sdk-metrics'
import { createOrdersServer } from '../../../orders/server.ts'
import type { ReceivedSpan } from '../../../test/otlp-receiver.ts'
import { startTracedApp } from '../../../test/traced-app.ts'
import { type Implementation, namesOf } from '../../concerns.ts'
import type { AppConfig } from '../../config.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`

/** Attributes that no span may have: high cardinality, personal data. A CLIENT span's peer is the upstream. */
const FORBIDDEN = {
  SERVER: /^(url\.(full|path|query)|user_agent|client\.address|network\.peer)/,
  CLIENT: /^(url\.(full|path|query)|user_agent)/,
  INTERNAL: /^(?!app\.)/,
}

/** The framework that does least: the last of the list. */
const least = namesOf('framework').at(-1) as Implementation<'framework'>
/** Implementations that record nothing, and why. */
const silent: Readonly<Record<string, string>> = { none: 'the floor of the concern' }
const recording = namesOf('apm').filter(name => !(name in silent))

for (const name of recording) {
  for (const framework of namesOf('framework')) {
    describe(`apm/${name} with framework/${framework}`, () => {
      test('records one SERVER span, one CLIENT span and one INTERNAL span a task', async t => {
        const { ask, finish } = await start(t, name, framework)
        await ask('/demo?seed=1', { traceparent, 'user-agent': 'someone' })
        const { spans, upstreamHeaders } = await finish()
        const server = onlyOne(spans, 'SERVER')
        const client = onlyOne(spans, 'CLIENT')
        const tasks = spans.filter(({ kind }) => kind === 'INTERNAL')
        assert.equal(spans.length, 4, JSON.stringify(spans))

        assert.equal(server.name, 'GET /demo')
        assert.equal(server.parentSpanId, PARENT_ID)
        assert.equal(server.attributes['http.route'], '/demo')
        assert.equal(server.attributes['http.request.method'], 'GET')
        assert.equal(server.attributes['http.response.status_code'], 200)
        assert.equal(client.parentSpanId, server.spanId)
        for (const task of tasks) {
          assert.equal(task.name, 'task subsetSum')
          assert.equal(task.parentSpanId, server.spanId)
          assert.ok((task.attributes['app.queue_wait_ms'] as number) >= 0)
        }
        for (const span of spans) {
          assert.equal(span.traceId, TRACE_ID)
          assert.deepEqual(
            Object.keys(span.attributes).filter(key => FORBIDDEN[span.kind ?? 'SERVER'].test(key)),
            [],
          )
          assert.equal(span.resource['service.name'], 'app')
        }
        assert.deepEqual(
          upstreamHeaders.map(each => each.traceparent),
          [`00-${TRACE_ID}-${client.spanId}-01`],
        )
      })

      test('records one INTERNAL span a part of a page, and one CLIENT span for what it is made of', async t => {
        const { ask, finish } = await start(t, name, framework)
        await ask('/page?orders=76', { traceparent })
        const { spans } = await finish()
        const server = onlyOne(spans, 'SERVER')
        assert.equal(server.attributes['http.route'], '/page')
        const below = spans.filter(span => span !== server)
        assert.deepEqual(below.map(({ name }) => name).sort(), [
          'GET',
          'GET',
          'part orders',
          'part orders',
          'part recommendations',
          'part summary',
        ])
        for (const span of below) {
          assert.equal(span.parentSpanId, server.spanId)
          assert.equal(span.traceId, TRACE_ID)
          if (span.kind === 'INTERNAL') assert.ok((span.attributes['app.queue_wait_ms'] as number) >= 0)
        }
      })

      test('records what fails, without a route where there is none', async t => {
        const { ask, finish } = await start(t, name, framework)
        for (const path of ['/cpu?size=40', '/nowhere']) await ask(path)
        const { spans } = await finish()
        const seen = spans.map(({ name, attributes }) => [
          name,
          attributes['http.route'],
          attributes['http.response.status_code'],
        ])
        assert.deepEqual(seen, [
          ['GET /cpu', '/cpu', 400],
          ['GET', undefined, 404],
        ])
      })

      test('measures the duration of requests in and out', async t => {
        const { ask, finish } = await start(t, name, framework)
        await ask('/demo')
        const { metricNames } = await finish()
        for (const metric of ['http.server.request.duration', 'http.client.request.duration']) {
          assert.ok(metricNames.has(metric), `${metric} in ${[...metricNames].join(', ')}`)
        }
      })
    })
  }
}

for (const name of recording) {
  describe(`apm/${name}`, () => {
    test('goes by the decision of a trace that comes, and by the ratio for one that begins', async t => {
      const { ask, finish } = await start(t, name, least, { traceRatio: 0 })
      await ask('/demo?seed=1', { traceparent })
      await ask('/demo?seed=1', { traceparent: traceparent.replace(/01$/, '00') })
      await ask('/demo?seed=1')
      const { spans, upstreamHeaders, metrics } = await finish()
      assert.deepEqual([...new Set(spans.map(span => span.traceId))], [TRACE_ID])
      assert.deepEqual(
        upstreamHeaders.map(each => String(each.traceparent).slice(-2)),
        ['01', '00', '00'],
      )
      const durations = metrics.find(({ descriptor }) => descriptor.name === 'http.server.request.duration')
      const histogram = durations?.dataPoints[0]?.value as Histogram | undefined
      assert.equal(histogram?.count, 3, 'metrics are of all requests')
    })

    test('counts each upstream call to the request that makes it, also when it had to wait', async t => {
      const traceOf = (seed: number) => seed.toString(16).padStart(32, 'a')
      const asked = new Map<number, string>()
      const orders = createOrdersServer({ latencyMs: 20 }).on('request', ({ url, headers }) => {
        const seed = Number(new URL(url as string, 'http://orders').searchParams.get('seed'))
        asked.set(seed, String(headers.traceparent).slice(3, 35))
      })
      const app = await startTracedApp(t, name, orders, { composition: { framework: least } })
      const seeds = Array.from({ length: 300 }, (_, index) => index + 1)
      await Promise.all(
        seeds.map(seed =>
          app.ask(`/serialization?orders=1&seed=${seed}`, {
            traceparent: `00-${traceOf(seed)}-${PARENT_ID}-01`,
          }),
        ),
      )
      const { spans } = await app.finish()
      const strays = seeds.filter(seed => asked.get(seed) !== traceOf(seed))
      assert.deepEqual(strays, [])
      for (const { kind, parentSpanId, traceId } of spans) {
        const parent = spans.find(({ spanId }) => spanId === parentSpanId)
        if (kind === 'CLIENT') assert.equal(parent?.traceId, traceId)
      }
    })

    test('passes trace state and baggage on', async t => {
      const { ask, finish } = await start(t, name, least)
      const carried = { tracestate: 'vendor=1', baggage: 'customer=7' }
      await ask('/demo?seed=1', { traceparent, ...carried })
      const [{ tracestate, baggage } = {}] = (await finish()).upstreamHeaders
      assert.deepEqual({ tracestate, baggage }, carried)
    })

    test('passes no trace state on without its trace', async t => {
      const { ask, finish } = await start(t, name, least)
      await ask('/demo?seed=1', { tracestate: 'vendor=1' })
      assert.equal((await finish()).upstreamHeaders[0]?.tracestate, undefined)
    })

    test('ends in order, and counts what is lost, when nobody receives it', async t => {
      const { ask, stop } = await startTracedApp(t, name, createOrdersServer({ latencyMs: 0 }), {
        otlpUrl: 'http://127.0.0.1:9',
        apmSocket: join(tmpdir(), 'nobody-listens-here.sock'),
      })
      assert.equal(await ask('/hello'), 200)
      const { spans } = await stop()
      assert.deepEqual(spans, { emitted: 1, dropped: 1 })
    })
  })
}

for (const name of namesOf('apm').filter(each => each in silent)) {
  test(`apm/${name} records nothing`, async t => {
    const { ask, finish } = await start(t, name, least)
    await ask('/demo', { traceparent })
    const { spans, metricNames } = await finish()
    assert.deepEqual([spans.length, metricNames.size], [0, 0])
  })
}

async function start(
  t: TestContext,
  apm: Implementation<'apm'>,
  framework: Implementation<'framework'>,
  options: Partial<AppConfig> = {},
) {
  const upstreamHeaders: IncomingHttpHeaders[] = []
  const orders = createOrdersServer({ latencyMs: 0 }).on('request', ({ headers }) =>
    upstreamHeaders.push(headers),
  )
  const app = await startTracedApp(t, apm, orders, { composition: { framework }, ...options })
  return {
    ask: app.ask,
    finish: async () => {
      const { counts, spans, metrics } = await app.finish()
      assert.deepEqual(counts.spans, { emitted: spans.length, dropped: 0 })
      const metricNames = new Set(metrics.map(({ descriptor }) => descriptor.name))
      return { spans, metrics, metricNames, upstreamHeaders }
    },
  }
}

function onlyOne(spans: readonly ReceivedSpan[], kind: ReceivedSpan['kind']): ReceivedSpan {
  const found = spans.filter(span => span.kind === kind)
  assert.equal(found.length, 1, `${found.length} ${kind} spans`)
  return found[0] as ReceivedSpan
}
