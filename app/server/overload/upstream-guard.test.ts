import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import type { ThreadCalls } from '../../../lib/telemetry/thread-calls.ts'
import { startClient } from '../../concerns/upstream/orders-client.fixture.ts'
import { guardUpstream } from './upstream-guard.ts'

/** Starts a guarded client, and an upstream that answers like this. */
async function start(t: TestContext, answer: RequestListener, timeoutMs = 60_000) {
  const started = await startClient(t, answer, timeoutMs)
  const changes: string[] = []
  const guard = guardUpstream(
    started.client,
    timeoutMs,
    loggerOf(() => message => changes.push(message)),
  )
  return { ...started, guard, changes }
}

describe('a guarded client', () => {
  test('makes no calls while the circuit is open, and reports it once; the other operation goes on', async t => {
    let calls = 0
    const { client, guard, codeOf, changes, newContext } = await start(t, ({ url }, response) => {
      if (!url?.startsWith('/orders')) return response.end()
      calls++
      return response.writeHead(500).end()
    })
    for (let call = 0; call < 20; call++) assert.equal(await codeOf(), 'UPSTREAM_FAILED')
    assert.equal(await codeOf(), 'UPSTREAM_UNAVAILABLE')
    assert.equal(calls, 20)
    assert.deepEqual(changes, ['the circuit breaker of orders is open'])
    assert.equal(guard.circuits.orders.state, 'open')
    assert.ok(await client.fetchRecommendations({ count: 1, seed: 1 }, newContext()))
  })

  test('fails waiting calls at once when the circuit opens', async t => {
    const { codeOf, server } = await start(t, () => {})
    const asked = Array.from({ length: 3000 }, () => codeOf())
    await once(server, 'request')
    server.closeAllConnections()
    server.on('request', request => request.destroy())
    const codes = await Promise.all(asked)
    assert.deepEqual(new Set(codes), new Set(['UPSTREAM_FAILED', 'UPSTREAM_UNAVAILABLE']))
    assert.ok(codes.filter(code => code === 'UPSTREAM_UNAVAILABLE').length > 2000)
  })

  for (const [why, limitMs, leftMs, stopMs] of [
    ['the request had little time left', 60_000, 1000, 0],
    ['this process was stopped', 500, 60_000, 1700],
  ] as const)
    test(`does not count a timeout as an upstream failure when ${why}`, async t => {
      const { codeOf, changes, newContext, server } = await start(t, () => {}, limitMs)
      const asked = Array.from({ length: 40 }, () => codeOf(newContext(leftMs)))
      await once(server, 'request')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stopMs)
      assert.deepEqual(new Set(await Promise.all(asked)), new Set(['UPSTREAM_TIMEOUT']))
      assert.deepEqual(changes, [])
    })
})

describe('the guarded calls of threads', () => {
  const failed: CallTimes = {
    startedAtMs: 0,
    durationMs: 1,
    wasSent: true,
    status: 500,
    errorType: 'UPSTREAM_FAILED',
  }

  async function startThreads(t: TestContext) {
    const { guard, codeOf } = await start(t, (_, response) => response.writeHead(500).end())
    const recorded: string[] = []
    const calls: ThreadCalls = {
      begin: () => ({ headers: {}, end: () => recorded.push('ended') }),
      drop: () => assert.fail(),
    }
    const upstream = { answerOrders: async () => assert.fail(), fetchPage: () => assert.fail() }
    guard.guardThreads({ calls }, upstream)
    return { guard, codeOf, calls, recorded }
  }

  test('share the circuit with those of the main thread', async t => {
    const { guard, codeOf, calls, recorded } = await startThreads(t)
    for (let call = 0; call < 10; call++) {
      calls.begin('orders', '', undefined).end(failed)
      await codeOf()
    }
    assert.equal(guard.circuits.orders.state, 'open')
    assert.throws(() => calls.begin('orders', '', undefined), { code: 'UPSTREAM_UNAVAILABLE' })
    assert.equal(recorded.length, 10)
  })

  test('say nothing about the upstream if their thread has died', async t => {
    const { guard, calls } = await startThreads(t)
    for (let call = 0; call < 40; call++) calls.begin('orders', '', undefined).end(undefined)
    assert.equal(guard.circuits.orders.state, 'closed')
  })
})
