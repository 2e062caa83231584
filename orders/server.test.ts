import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Ajv } from 'ajv'
import { listen } from '../lib/http/listen.ts'
import { selectOrders } from './catalogue.ts'
import { OrderList } from './messages.ts'
import { MAX_ORDERS, mediaTypes, payloads } from './order.ts'
import schema from './orders.schema.json' with { type: 'json' }
import { createOrdersServer } from './server.ts'

async function start(t: TestContext): Promise<string> {
  const server = createOrdersServer({ latencyMs: 0 })
  t.after(() => server.close())
  return listen(server, '127.0.0.1', 0)
}

const validate = new Ajv({ strict: false }).compile(schema)

describe('orders', () => {
  for (const payload of payloads) {
    for (const [count, seed] of [
      [0, 1],
      [1, 0],
      [15, MAX_ORDERS - 3],
      [MAX_ORDERS, 5],
    ] as const) {
      test(`are the same as JSON and as Protobuf: ${count} of ${payload} from ${seed} on`, async t => {
        const url = `${await start(t)}/orders?count=${count}&payload=${payload}&seed=${seed}`
        const json = await (await fetch(url)).json()
        assert.deepEqual(json, { orders: selectOrders(count, payload, seed) })
        assert.ok(validate(json), JSON.stringify(validate.errors))
        const response = await fetch(url, { headers: { accept: mediaTypes.protobuf } })
        assert.equal(response.headers.get('content-type'), mediaTypes.protobuf)
        const message = OrderList.decode(new Uint8Array(await response.arrayBuffer()))
        assert.deepEqual(OrderList.toObject(message, { defaults: true, arrays: true }), json)
      })
    }
  }

  test('differ for another seed', () => {
    const ids = (seed: number) => selectOrders(2, 'mixed', seed).map(({ id }) => id)
    assert.deepEqual(
      [ids(0), ids(1), ids(MAX_ORDERS - 1)],
      [
        [1, 2],
        [2, 3],
        [MAX_ORDERS, 1],
      ],
    )
  })

  const refused: readonly [method: string, path: string, status: number][] = [
    ['GET', '/orders?count=-1', 400],
    ['GET', '/orders?count=2001', 400],
    ['GET', '/orders?payload=all', 400],
    ['GET', '/orders?cuont=1', 400],
    ['GET', '/nowhere', 404],
    ['POST', '/orders', 405],
  ]
  for (const [method, path, status] of refused) {
    test(`answers ${method} ${path} with a problem document, ${status}`, async t => {
      const response = await fetch((await start(t)) + path, { method })
      assert.equal(response.status, status)
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(((await response.json()) as { status: number }).status, status)
    })
  }
})
