import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../../lib/listen.ts'
import { createOrdersServer } from '../../orders/server.ts'
import { startProcess } from '../../stack/process.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../../test/otlp-receiver.ts'
import { type Implementation, namesOf } from '../concerns.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`

/** Attributes that no span may have: high cardinality, personal data. A CLIENT span's peer is the upstream. */
const FORBIDDEN = {
  SERVER: /^(url\.(full|path|query)|user_agent|client\.address|network\.peer)/,
  CLIENT: /^(url\.(full|path|query)|user_agent)/,
  INTERNAL: /^(?!app\.task\.)/,
}

const recording = namesOf('apm').filter(name => name !== 'none')

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
          assert.ok((task.attributes['app.task.queue_wait_ms'] as number) >= 0)
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

describe('apm/none', () => {
  test('records nothing', async t => {
    const { ask, finish } = await start(t, 'none', 'http')
    await ask('/demo', { traceparent })
    const { spans, metricNames } = await finish()
    assert.deepEqual([spans.length, metricNames.size], [0, 0])
  })
})

/** The app in a process of its own, as instrumentation is for a whole process. */
async function start(t: TestContext, apm: Implementation<'apm'>, framework: Implementation<'framework'>) {
  const directory = mkdtempSync(join(tmpdir(), 'apm-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const upstreamHeaders: IncomingHttpHeaders[] = []
  const orders = createOrdersServer({ latencyMs: 0 }).on('request', ({ headers }) =>
    upstreamHeaders.push(headers),
  )
  const ordersUrl = await listen(orders, '127.0.0.1', 0)
  t.after(() => orders.close())
  const { url: otlpUrl, spans, metricNames } = await startOtlpReceiver(t)
  const flags = {
    apm,
    framework,
    'orders-url': ordersUrl,
    'otlp-url': otlpUrl,
    'log-file': join(directory, 'app.log'),
    'log-dir': join(directory, 'segments'),
  }
  const app = await startProcess({
    name: 'app',
    file: join(import.meta.dirname, '../main.ts'),
    flags: [
      '--port',
      '0',
      '--admin-port',
      '0',
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    ],
    echo: true,
  })
  t.after(() => app.stop())
  return {
    ask: async (path: string, headers: Record<string, string> = {}) => {
      await (await fetch(app.addresses.http + path, { headers })).arrayBuffer()
    },
    finish: async () => {
      const { spans: counted } = await app.stop()
      assert.deepEqual(counted, { emitted: spans.length, dropped: 0 })
      return { spans, metricNames, upstreamHeaders }
    },
  }
}

function onlyOne(spans: readonly ReceivedSpan[], kind: ReceivedSpan['kind']): ReceivedSpan {
  const found = spans.filter(span => span.kind === kind)
  assert.equal(found.length, 1, `${found.length} ${kind} spans`)
  return found[0] as ReceivedSpan
}
