import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
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
import { type Implementation, namesOf } from '../../concerns.ts'
import { patience } from '../../test-options.fixture.ts'

/** Makes requests with every outcome, in the same order for every implementation. */
async function makeRequests(t: TestContext, apm: Implementation<'apm'>, where: Implementation<'upstream'>) {
  const upstream = createUpstream()
  const traceparents: unknown[] = []
  upstream.prependListener('request', ({ headers }) => traceparents.push(headers.traceparent))
  const beganAtMs = Date.now()
  const app = await startTracedApp(t, apm, upstream, {
    composition: { framework: 'http', compute: 'processes', logging: 'none', upstream: where },
    metricIntervalMs: 60_000,
    ...patience,
  })
  const statuses = [
    await app.ask('/demo?seed=1', { traceparent: SAMPLED }),
    await app.ask('/demo?seed=1', { traceparent: UNSAMPLED }),
    await app.ask('/serialization?orders=1'),
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

  const hanging = get(`${app.url}/serialization?seed=${HANGS}`).on('error', () => {})
  const [request] = await once(upstream, 'hanging')
  hanging.destroy()
  await once(request, 'close')

  const { spans, metrics, counts } = await app.finish()
  for (const { startMs, endMs } of spans)
    assert.ok(
      startMs >= beganAtMs - 1 && endMs >= startMs && endMs <= Date.now() + 1,
      'the time of the epoch',
    )
  assert.deepEqual(counts.spans, { emitted: spans.length, dropped: 0 })
  assert.equal(counts.metricPoints?.dropped, 0)
  const sent = traceparents.map(header => String(header).slice(36, 52))
  const clients = spans.filter(({ kind }) => kind === 'CLIENT').map(({ spanId }) => spanId)
  assert.deepEqual(
    clients.filter(id => !sent.includes(id)),
    [],
    'every span of a call has the id that the call has sent',
  )
  return { statuses, spans: sorted(spans.map(span => comparable(span, spans))), metrics }
}

describe('the same requests', () => {
  let expected: ReturnType<typeof makeRequests> | undefined
  // The same code records a call for `in-process` and for `sidecar`.
  const pairs = [
    ...namesOf('apm').map(name => [name, 'main'] as const),
    ...(['opentelemetry', 'sidecar'] as const).map(name => [name, 'threads'] as const),
  ]
  for (const [name, where] of pairs)
    if (name !== 'none' && !(name === 'opentelemetry' && where === 'main'))
      test(`leave the same telemetry from ${name}, with the calls of upstream/${where}, as from opentelemetry on main`, async t => {
        expected ??= makeRequests(t, 'opentelemetry', 'main')
        const [theirs, ours] = [await expected, await makeRequests(t, name, where)]
        assert.deepEqual(theirs.statuses, [200, 200, 200, 200, 200, 400, 400, 404, 502, 502, 500])
        assert.deepEqual(ours.statuses, theirs.statuses)
        assert.deepEqual(ours.spans, theirs.spans)
        // Threads have metrics of their own.
        const compared = ({ metrics }: typeof ours) =>
          sorted(
            metrics
              .filter(({ descriptor }) => where === 'main' || /^http\.client\./.test(descriptor.name))
              .map(comparableMetric),
          )
        assert.deepEqual(compared(ours), compared(theirs))
      })
})
