import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../../lib/http/listen.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { OrdersQuery } from '../../../orders/order.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import { RequestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import type { Upstream } from './contract.ts'

const QUERY = { count: 1, payload: 'mixed', seed: 1 } as const

type FetchOrders = (query: OrdersQuery, context: RequestContext) => Promise<Uint8Array>

/** Where the calls of a suite are made: by the client itself, or by a thread that is started for it. */
export type Where = (t: TestContext, client: Upstream) => Promise<FetchOrders>

export const byTheClient: Where = async (_, client) => client.fetchOrders

/** Starts a client and an upstream that answers like this. */
export async function start(
  t: TestContext,
  name: Implementation<'upstream'>,
  answer: RequestListener,
  { timeoutMs = 60_000, where = byTheClient } = {},
) {
  const server = createServer(answer)
  const url = await listen(server, '127.0.0.1', 0)
  const changes: string[] = []
  const { createUpstream } = await implementations.upstream[name]()
  const apm = { startCall: () => {}, callHeaders: () => ({}), endCall: () => {}, drop: () => {} }
  const client = createUpstream({
    url,
    timeoutMs,
    accept: 'any/type',
    apm,
    onCircuitChange: (...change) => changes.push(change.join(' ')),
  })
  const fetchOrders = await where(t, client)
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await client.close()
  })
  const newContext = (leftMs = 60_000) => new RequestContext('a-request', monotonicMs() + leftMs, 'span')
  const codeOf = (context = newContext()): Promise<string> =>
    fetchOrders(QUERY, context).then(
      () => 'answered',
      ({ code }: Problem) => code,
    )
  return { client, server, changes, newContext, fetchOrders, codeOf }
}

/** Tests the contract of an implementation, whose calls are made somewhere. */
export function testContract(name: Implementation<'upstream'>, title: string, where: Where): void {
  const startHere = (t: TestContext, answer: RequestListener) => start(t, name, answer, { where })

  describe(title, () => {
    test('returns the body of the answer', async t => {
      const { fetchOrders, newContext } = await startHere(t, ({ url, headers }, response) =>
        response.end(`${url} ${headers.accept}`),
      )
      const body = await fetchOrders(QUERY, newContext())
      assert.equal(String(Buffer.from(body)), '/orders?count=1&payload=mixed&seed=1 any/type')
    })

    test('takes a body of 16 MiB, and fails if it is longer', async t => {
      let bytes = 16 * 2 ** 20
      const { codeOf } = await startHere(t, (_, response) => response.end(Buffer.alloc(bytes)))
      assert.equal(await codeOf(), 'answered')
      bytes++
      assert.equal(await codeOf(), 'UPSTREAM_FAILED')
    })

    test('sends the remaining time: its own limit, or the remaining budget of the request', async t => {
      const budgets: number[] = []
      const { codeOf, newContext } = await startHere(t, (request, response) => {
        budgets.push(Number(request.headers['x-envoy-expected-rq-timeout-ms']))
        response.end()
      })
      await codeOf(newContext(600_000))
      await codeOf(newContext(30_000))
      assert.equal(budgets[0], 60_000)
      assert.ok((budgets[1] as number) > 0 && (budgets[1] as number) <= 30_000, String(budgets))
    })

    test('makes no call for a request whose client is gone or whose time is up', async t => {
      const { codeOf, newContext } = await startHere(t, () => assert.fail('it was called'))
      assert.equal(await codeOf(newContext(0)), 'DEADLINE_PASSED')
      const gone = newContext()
      gone.leave()
      assert.equal(await codeOf(gone), 'CLIENT_GONE')
    })

    test('ends the call when the client leaves', async t => {
      const { server, codeOf, newContext } = await startHere(t, () => {})
      const context = newContext()
      const code = codeOf(context)
      const [request] = await once(server, 'request')
      context.leave()
      await once(request.socket, 'close')
      assert.equal(await code, 'CLIENT_GONE')
    })

    test('makes no calls while the circuit is open, and reports it once; the other operation goes on', async t => {
      let calls = 0
      const { client, codeOf, changes, newContext } = await startHere(t, ({ url }, response) => {
        if (!url?.startsWith('/orders')) return response.end()
        calls++
        return response.writeHead(500).end()
      })
      for (let call = 0; call < 20; call++) assert.equal(await codeOf(), 'UPSTREAM_FAILED')
      assert.equal(await codeOf(), 'UPSTREAM_UNAVAILABLE')
      assert.equal(calls, 20)
      // A thread reports the change in a message of its own.
      while (changes.length === 0) await turn()
      assert.deepEqual(changes, ['orders open'])
      assert.equal(client.circuits.orders.state, 'open')
      assert.ok(await client.fetchRecommendations({ count: 1, seed: 1 }, newContext()))
    })

    test('fails waiting calls at once when the circuit opens', async t => {
      const { codeOf, server } = await startHere(t, () => {})
      const asked = Array.from({ length: 3000 }, () => codeOf())
      await once(server, 'request')
      server.closeAllConnections()
      server.on('request', request => request.destroy())
      const codes = await Promise.all(asked)
      assert.deepEqual(new Set(codes), new Set(['UPSTREAM_FAILED', 'UPSTREAM_UNAVAILABLE']))
      assert.ok(codes.filter(code => code === 'UPSTREAM_UNAVAILABLE').length > 2000)
    })

    test('does not count a timeout as an upstream failure when the request had little time left', async t => {
      const { codeOf, changes, newContext } = await startHere(t, () => {})
      const codes = await Promise.all(Array.from({ length: 40 }, () => codeOf(newContext(200))))
      assert.deepEqual(new Set(codes), new Set(['UPSTREAM_TIMEOUT']))
      assert.deepEqual(changes, [])
    })
  })
}
