import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../../../lib/listen.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { RequestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import { createOrdersClient } from './orders-client.ts'

const QUERY = { count: 1, payload: 'mixed', seed: 1 } as const

async function start(t: TestContext, answer: RequestListener, timeoutMs = 60_000) {
  const server = createServer(answer)
  const url = await listen(server, '127.0.0.1', 0)
  const changes: string[] = []
  const client = createOrdersClient(url, timeoutMs, 'any/type', (...change) => changes.push(change.join(' ')))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const newContext = (leftMs = 60_000) => new RequestContext('a-request', monotonicMs() + leftMs)
  const codeOf = (context = newContext()): Promise<string> =>
    client.fetchOrders(QUERY, context).then(
      () => 'answered',
      ({ code }: Problem) => code,
    )
  return { client, server, changes, newContext, codeOf }
}

describe('the client of orders', () => {
  test('sends the remaining time: its own limit, or the remaining budget of the request', async t => {
    const budgets: number[] = []
    const { codeOf, newContext } = await start(t, (request, response) => {
      budgets.push(Number(request.headers['x-envoy-expected-rq-timeout-ms']))
      response.end()
    })
    await codeOf(newContext(600_000))
    await codeOf(newContext(30_000))
    assert.equal(budgets[0], 60_000)
    assert.ok((budgets[1] as number) > 0 && (budgets[1] as number) <= 30_000, String(budgets))
  })

  test('makes no call for a request whose client is gone or whose time is up', async t => {
    const { codeOf, newContext } = await start(t, () => assert.fail('it was called'))
    const gone = newContext()
    gone.leave()
    assert.equal(await codeOf(gone), 'CLIENT_GONE')
    assert.equal(await codeOf(newContext(0)), 'DEADLINE_PASSED')
  })

  test('makes no calls while the circuit is open, and reports it; the other operation goes on', async t => {
    let calls = 0
    const { client, codeOf, changes, newContext } = await start(t, ({ url }, response) => {
      if (!url?.startsWith('/orders')) return response.end()
      calls++
      return response.writeHead(500).end()
    })
    for (let call = 0; call < 20; call++) assert.equal(await codeOf(), 'UPSTREAM_FAILED')
    assert.equal(await codeOf(), 'UPSTREAM_UNAVAILABLE')
    assert.equal(calls, 20)
    assert.deepEqual(changes, ['orders open'])
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

  test('does not count a timeout as an upstream failure when the request had little time left', async t => {
    const { codeOf, changes, newContext } = await start(t, () => {})
    const codes = await Promise.all(Array.from({ length: 40 }, () => codeOf(newContext(20))))
    assert.deepEqual(new Set(codes), new Set(['UPSTREAM_TIMEOUT']))
    assert.deepEqual(changes, [])
  })

  test('does not count a timeout as an upstream failure when this process was stopped', async t => {
    const { codeOf, changes, server } = await start(t, () => {}, 100)
    const asked = Array.from({ length: 40 }, () => codeOf())
    await once(server, 'request')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['UPSTREAM_TIMEOUT']))
    assert.deepEqual(changes, [])
  })
})
