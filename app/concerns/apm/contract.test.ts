import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ReceivedSpan } from '../../../test/otlp-receiver.ts'
import { first, startAppWithOrders } from '../../../test/traced-app.ts'
import { type Implementation, namesOf } from '../../concerns.ts'
import { patience } from '../../test-options.fixture.ts'

const PARENT_ID = 'b7ad6b7169203331'
/** The traces to which the requests for `/demo` and `/page` belong. */
const DEMO_TRACE = '0af7651916cd43dd8448eb211c80319c'
const PAGE_TRACE = '0af7651916cd43dd8448eb211c80319d'
const traceparentOf = (trace: string) => `00-${trace}-${PARENT_ID}-01`

/**
 * Attributes that no span may have, because they have high cardinality or are personal data. A CLIENT span may name its
 * peer, which is the upstream.
 */
const FORBIDDEN = {
  SERVER: /^(url\.(full|path|query)|user_agent|client\.address|network\.peer)/,
  CLIENT: /^(url\.(full|path|query)|user_agent)/,
  INTERNAL: /^(?!app\.)/,
}

// All implementations record the same (parity.test.ts), so one is tried, with each framework.
for (const framework of namesOf('framework')) {
  test(`what apm/in-process records with framework/${framework}`, async t => {
    const { spansOf, upstreamOfDemo, metricNames } = await record(t, framework)

    await t.test('records one SERVER span, one CLIENT span and one INTERNAL span a task', () => {
      const spans = spansOf(DEMO_TRACE)
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
        assert.deepEqual(
          Object.keys(span.attributes).filter(key => FORBIDDEN[span.kind ?? 'SERVER'].test(key)),
          [],
        )
        assert.equal(span.resource['service.name'], 'app')
      }
      assert.deepEqual(
        upstreamOfDemo.map(each => each.traceparent),
        [`00-${DEMO_TRACE}-${client.spanId}-01`],
      )
    })

    await t.test('records one INTERNAL span a page, and one CLIENT span an upstream call', () => {
      const spans = spansOf(PAGE_TRACE)
      const server = onlyOne(spans, 'SERVER')
      assert.equal(server.attributes['http.route'], '/page')
      const below = spans.filter(span => span !== server)
      assert.deepEqual(below.map(({ name }) => name).sort(), ['GET', 'GET', 'render page'])
      for (const span of below) {
        assert.equal(span.parentSpanId, server.spanId)
        if (span.kind === 'INTERNAL') assert.ok((span.attributes['app.queue_wait_ms'] as number) >= 0)
      }
    })

    await t.test('records requests that fail, and no route for a path that has none', () => {
      const seen = spansOf(undefined).map(({ name, attributes }) => [
        name,
        attributes['http.route'],
        attributes['http.response.status_code'],
      ])
      assert.deepEqual(seen, [
        ['GET /cpu', '/cpu', 400],
        ['GET', undefined, 404],
      ])
    })

    await t.test('measures the durations of received and sent requests', () => {
      for (const metric of ['http.server.request.duration', 'http.client.request.duration']) {
        assert.ok(metricNames.has(metric), `${metric} in ${[...metricNames].join(', ')}`)
      }
    })
  })
}

/** Starts one app, makes all requests, stops the app, and groups the recorded spans by trace. */
async function record(t: TestContext, framework: Implementation<'framework'>) {
  const { ask, finish } = await startAppWithOrders(t, 'in-process', {
    composition: { ...first, framework },
    ...patience,
  })
  const demo = await ask('/demo?seed=1', { traceparent: traceparentOf(DEMO_TRACE), 'user-agent': 'someone' })
  await ask('/page?orders=76', { traceparent: traceparentOf(PAGE_TRACE) })
  for (const path of ['/cpu?size=40', '/nowhere']) await ask(path)
  const { spans, metricNames } = await finish()
  const begunByClients = [DEMO_TRACE, PAGE_TRACE]
  return {
    metricNames,
    upstreamOfDemo: demo.upstreamHeaders,
    /** @param trace undefined selects the traces that the app began itself */
    spansOf: (trace: string | undefined) =>
      spans.filter(({ traceId }) => (trace ? traceId === trace : !begunByClients.includes(traceId))),
  }
}

function onlyOne(spans: readonly ReceivedSpan[], kind: ReceivedSpan['kind']): ReceivedSpan {
  const found = spans.filter(span => span.kind === kind)
  assert.equal(found.length, 1, `${found.length} ${kind} spans`)
  return found[0] as ReceivedSpan
}
