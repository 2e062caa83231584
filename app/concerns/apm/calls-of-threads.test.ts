import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import {
  BREAKS,
  comparable,
  comparableMetric,
  createUpstream,
  FAILS,
  HANGS,
  SAMPLED,
  sorted,
  UNSAMPLED,
} from '../../../test/comparable-telemetry.ts'
import { startTracedApp } from '../../../test/traced-app.ts'
import type { Implementation } from '../../concerns.ts'
import { patience } from '../../test-options.fixture.ts'

/** Makes requests whose upstream calls have every outcome. */
async function makeRequests(t: TestContext, apm: Implementation<'apm'>, where: Implementation<'upstream'>) {
  const upstream = createUpstream()
  const traceparents: unknown[] = []
  upstream.prependListener('request', ({ headers }) => traceparents.push(headers.traceparent))
  const app = await startTracedApp(t, apm, upstream, {
    composition: { framework: 'http', compute: 'threads', logging: 'none', upstream: where },
    metricIntervalMs: 60_000,
    ...patience,
  })
  const statuses = [
    await app.ask('/demo?seed=1', { traceparent: SAMPLED }),
    await app.ask('/demo?seed=1', { traceparent: UNSAMPLED }),
    await app.ask('/serialization?orders=1'),
    await app.ask(`/demo?seed=${FAILS}`),
    await app.ask(`/demo?seed=${BREAKS}`),
  ]
  const hanging = get(`${app.url}/serialization?seed=${HANGS}`).on('error', () => {})
  const [request] = await once(upstream, 'hanging')
  hanging.destroy()
  await once(request, 'close')
  const { spans, metrics } = await app.finish()
  const sent = traceparents.map(header => String(header).slice(36, 52))
  const clients = spans.filter(({ kind }) => kind === 'CLIENT').map(({ spanId }) => spanId)
  return {
    statuses,
    spans: sorted(spans.map(span => comparable(span, spans))),
    calls: metrics
      .filter(({ descriptor }) => descriptor.name === 'http.client.request.duration')
      .map(comparableMetric),
    unsent: clients.filter(id => !sent.includes(id)),
    times: spans
      .filter(({ kind }) => kind === 'CLIENT')
      .map(({ startMs, endMs }) => [startMs, endMs] as const),
  }
}

describe('upstream calls of threads', () => {
  let expected: ReturnType<typeof makeRequests> | undefined
  for (const apm of ['opentelemetry', 'sidecar'] as const) {
    test(`leave the same telemetry from ${apm} as those of the main thread from opentelemetry`, async t => {
      expected ??= makeRequests(t, 'opentelemetry', 'main')
      const main = await expected
      const beganAtMs = Date.now()
      const threads = await makeRequests(t, apm, 'threads')
      assert.deepEqual(main.statuses, [200, 200, 200, 502, 502])
      assert.deepEqual(threads.statuses, main.statuses)
      assert.deepEqual(threads.spans, main.spans)
      assert.deepEqual(threads.calls, main.calls)
      assert.deepEqual(threads.unsent, [], 'every span has the id that its call has sent')
      for (const [startMs, endMs] of threads.times)
        assert.ok(startMs >= beganAtMs - 1 && endMs >= startMs && endMs <= Date.now() + 1)
    })
  }
})
