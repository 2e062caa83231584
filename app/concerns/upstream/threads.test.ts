import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../../lib/http/listen.ts'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { createNoApm } from '../../../test/no-apm.ts'
import { RequestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import type { Apm } from '../apm/contract.ts'
import { testContract } from './contract.fixture.ts'
import { startCallingThread } from './thread.fixture.ts'
import { createUpstream } from './threads.ts'

const QUERY = { count: 1, payload: 'mixed', seed: 1 } as const
const newContext = (leftMs = 60_000) => new RequestContext('a-request', monotonicMs() + leftMs, 'the request')

/** Starts two threads and an upstream that gives this status. */
async function start(t: TestContext, status: number) {
  const traced: unknown[] = []
  const server = createServer((request, response) => {
    traced.push(request.headers.traceparent)
    response.writeHead(status).end()
  })
  const changes: string[] = []
  const recorded: (CallTimes | 'dropped')[] = []
  const apm: Apm = {
    ...(await createNoApm()),
    callHeaders: (_call, parent) => ({ traceparent: `a call of ${parent}` }),
    endCall: (_call, times) => recorded.push(times),
    drop: () => recorded.push('dropped'),
  }
  const upstream = createUpstream({
    url: await listen(server, '127.0.0.1', 0),
    timeoutMs: 60_000,
    accept: 'any/type',
    apm,
    onCircuitChange: (...change) => changes.push(change.join(' ')),
  })
  const { inThreads } = upstream
  assert.ok(inThreads)
  const threads = await Promise.all([startCallingThread(inThreads), startCallingThread(inThreads)])
  t.after(async () => {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
    server.close()
    server.closeAllConnections()
    await upstream.close()
  })
  // The circuit opens with the twentieth call, which ends a round of four. No call of a round can come after it.
  const asks = [...threads.map(({ ask }) => ask), upstream.fetchOrders, upstream.fetchOrders]
  const codesOf = () =>
    Promise.all(
      asks.map(ask =>
        ask(QUERY, newContext()).then(
          () => 'ok',
          ({ code }: Problem) => code,
        ),
      ),
    )
  return { upstream, changes, recorded, traced, codesOf, ask: threads[0].ask }
}

testContract('threads', 'upstream/threads, by a thread', async (t, { inThreads }) => {
  assert.ok(inThreads)
  const { ask, worker } = await startCallingThread(inThreads)
  t.after(() => worker.terminate())
  return ask
})

describe('upstream/threads', () => {
  test('has one circuit for all threads, and tells its changes once', async t => {
    const { upstream, changes, codesOf } = await start(t, 500)
    for (let calls = 0; calls < 20; calls += 4)
      assert.deepEqual(new Set(await codesOf()), new Set(['UPSTREAM_FAILED']))
    assert.deepEqual(new Set(await codesOf()), new Set(['UPSTREAM_UNAVAILABLE']))
    assert.equal(upstream.circuits.orders.state, 'open')
    while (changes.length === 0) await turn()
    assert.deepEqual(changes, ['orders open'])
  })

  test('records no call that a thread has not made', async t => {
    const { ask, recorded } = await start(t, 200)
    await assert.rejects(ask(QUERY, newContext(0)))
    assert.deepEqual(recorded, ['dropped'])
  })

  test('records the calls of threads as the threads have timed them', async t => {
    const { recorded, traced, codesOf } = await start(t, 500)
    const beganAtMs = monotonicMs()
    for (let calls = 0; calls < 24; calls += 4) await codesOf()
    assert.equal(traced.filter(header => header === 'a call of the request').length, 10)
    const made = recorded.filter(record => record !== 'dropped')
    assert.equal(made.length, 10)
    assert.equal(recorded.length, 10, 'the main thread has refused the others')
    for (const { startedAtMs, durationMs, status, errorType, wasSent } of made) {
      assert.deepEqual(
        { status, errorType, wasSent },
        { status: 500, errorType: 'UPSTREAM_FAILED', wasSent: true },
      )
      assert.ok(startedAtMs >= beganAtMs && durationMs > 0 && startedAtMs + durationMs <= monotonicMs())
    }
  })
})
