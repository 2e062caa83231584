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

/** Makes requests with every outcome, in the same order for every implementation. */
async function makeRequests(t: TestContext, apm: Implementation<'apm'>) {
  const upstream = createUpstream()
  const app = await startTracedApp(t, apm, upstream, {
    composition: { framework: 'http', compute: 'processes', logging: 'none' },
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
