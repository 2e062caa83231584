import assert from 'node:assert/strict'
import { test } from 'node:test'
import buildStringify from 'fast-json-stringify'
import { OrderList } from './messages.ts'
import schema from './orders.schema.json' with { type: 'json' }

test('an order whose fields hold 0 and "" survives Protobuf, and JSON written by schema from it', () => {
  const details = { customer: '', product: '', city: '', status: '', placedAt: '' }
  const amounts = { quantity: 0, unitPrice: 0, discount: 0, tax: 0, total: 0 }
  const list = { orders: [{ id: 0, details, amounts }] }
  const message = OrderList.decode(OrderList.encode(list).finish())
  assert.deepEqual(JSON.parse(buildStringify(schema as object)(message)), list)
})
