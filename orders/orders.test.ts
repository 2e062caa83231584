import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../lib/http/listen.ts'
import type { ProcessUsage } from '../lib/os/usage.ts'
import { MAX_SEED } from '../lib/random.ts'
import type { Order, Payload } from './order.ts'
import { createOrdersServer } from './server.ts'

/** Sends a request to a new server. */
async function ask(t: TestContext, path: string, method = 'GET'): Promise<Response> {
  const server = createOrdersServer({ latencyMs: 0 })
  t.after(() => server.close())
  return fetch((await listen(server, '127.0.0.1', 0)) + path, { method })
}

async function askOrders(t: TestContext, query: string): Promise<Order[]> {
  const { orders } = (await (await ask(t, `/orders?${query}`)).json()) as { orders: Order[] }
  return orders
}

describe('the orders server', () => {
  const halves: readonly [payload: Payload, hasDetails: boolean, hasAmounts: boolean][] = [
    ['strings', true, false],
    ['numbers', false, true],
    ['mixed', true, true],
  ]
  for (const [payload, hasDetails, hasAmounts] of halves) {
    test(`answers the half of an order that ${payload} selects, and null for the other half`, async t => {
      const [order] = await askOrders(t, `count=1&payload=${payload}`)
      assert.deepEqual([order?.details !== null, order?.amounts !== null], [hasDetails, hasAmounts])
    })
  }

  test('answers 15 mixed orders from 1 on to an empty query', async t => {
    assert.deepEqual(await askOrders(t, ''), await askOrders(t, 'count=15&payload=mixed&seed=1'))
  })

  test('accepts the largest possible seed', async t => {
    assert.equal((await askOrders(t, `count=1&seed=${MAX_SEED}`)).length, 1)
  })

  for (const query of [`seed=${MAX_SEED + 1}`, 'count=', 'count=1.5', 'count=1&count=2', 'payload=MIXED']) {
    test(`refuses ${query} with the name of the parameter`, async t => {
      const response = await ask(t, `/orders?${query}`)
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      assert.deepEqual([response.status, code], [400, 'INVALID_QUERY'])
      assert.match(detail, new RegExp(`^${query.split('=')[0]} must be`))
    })
  }

  test('names the allowed method', async t => {
    const { status, headers } = await ask(t, '/orders', 'DELETE')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET'])
  })

  test('tells how much CPU time it has used', async t => {
    const { cpuMicros } = (await (await ask(t, '/usage')).json()) as ProcessUsage
    assert.ok(cpuMicros > 0)
  })

  test('answers the health check', async t => {
    assert.deepEqual(await (await ask(t, '/healthz')).json(), { status: 'ok' })
  })
})
