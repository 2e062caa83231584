import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { closeServer, listen } from '../lib/http/listen.ts'
import { MAX_SEED } from '../lib/random.ts'
import { selectOrders } from './catalogue.ts'
import { OrderList } from './messages.ts'
import { MAX_ORDERS, mediaTypes, payloads } from './order.ts'
import schema from './orders.schema.json' with { type: 'json' }
import { createOrdersServer } from './server.ts'

const server = createOrdersServer({ latencyMs: 0 })
let url: string
before(async () => {
  url = await listen(server, '127.0.0.1', 0)
})
after(() => closeServer(server))

const readJson = async (path: string) => (await fetch(url + path)).json() as Promise<Record<string, unknown>>
const validate = new Ajv({ strict: false }).compile(schema)

describe('the orders server', () => {
  for (const payload of payloads)
    for (const [count, seed] of [
      [0, 1],
      [1, MAX_SEED],
      [15, MAX_ORDERS - 3],
      [MAX_ORDERS, 5],
    ] as const)
      test(`answers the same as JSON and as Protobuf: ${count} of ${payload} from ${seed} on`, async () => {
        const path = `/orders?count=${count}&payload=${payload}&seed=${seed}`
        const json = await readJson(path)
        assert.deepEqual(json, { orders: selectOrders(count, payload, seed) })
        assert.ok(validate(json), JSON.stringify(validate.errors))
        const response = await fetch(url + path, { headers: { accept: mediaTypes.protobuf } })
        assert.equal(response.headers.get('content-type'), mediaTypes.protobuf)
        const message = OrderList.decode(await response.bytes())
        assert.deepEqual(OrderList.toObject(message, { defaults: true, arrays: true }), json)
      })

  test('answers 15 mixed orders from 1 on to an empty query, health checks, and the CPU time it has used', async () => {
    assert.deepEqual(await readJson('/orders'), { orders: selectOrders(15, 'mixed', 1) })
    assert.deepEqual(await readJson('/healthz'), { status: 'ok' })
    assert.ok(Number((await readJson('/usage')).cpuMicros) > 0)
  })

  const refused: readonly [method: string, path: string, status: number, detail: RegExp][] = [
    ['GET', '/orders?count=-1', 400, /^count must be/],
    ['GET', '/orders?count=2001', 400, /^count must be/],
    ['GET', '/orders?payload=MIXED', 400, /^payload must be/],
    ['GET', `/orders?seed=${MAX_SEED + 1}`, 400, /^seed must be/],
    ['GET', '/orders?cuont=1', 400, /^unknown parameter "cuont"/],
    ['GET', '/nowhere', 404, /^there is only \/orders/],
    ['POST', '/orders', 405, /^only GET/],
  ]
  for (const [method, path, status, detail] of refused)
    test(`answers ${method} ${path} with a problem document, ${status}`, async () => {
      const response = await fetch(url + path, { method })
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(response.headers.get('allow'), status === 405 ? 'GET' : null)
      const problem = (await response.json()) as { status: number; detail: string }
      assert.deepEqual([response.status, problem.status], [status, status])
      assert.match(problem.detail, detail)
    })
})

test('each half of an order is null unless the payload selects it, and another seed selects other orders', () => {
  const [strings, numbers] = (['strings', 'numbers'] as const).map(payload => selectOrders(1, payload, 0)[0])
  assert.deepEqual([strings?.amounts, numbers?.details], [null, null])
  assert.ok(strings?.details && numbers?.amounts)
  const ids = [0, 1, MAX_ORDERS - 1].map(seed => selectOrders(2, 'mixed', seed).map(({ id }) => id))
  assert.deepEqual(ids, [
    [1, 2],
    [2, 3],
    [MAX_ORDERS, 1],
  ])
})
