import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectOrders } from '../../orders/catalogue.ts'
import { encodeJson, encodeProtobuf } from '../../orders/encoded.ts'
import { OrderList } from '../../orders/messages.ts'
import { MAX_ORDERS, mediaTypes, type Order, payloads } from '../../orders/order.ts'
import { subsetSum } from '../../workers/subset-sum.ts'
import { implementations, namesOf } from '../concerns.ts'
import { answerSchemas } from './answers.schema.ts'
import type { AnswerName, Answers } from './contract.ts'
import { answerMessages } from './messages.ts'

/** Text that has to be escaped, and numbers that are easily lost. */
const awkward: Order = {
  id: 0,
  details: { customer: '"\\\n\u2028', product: '</script>', city: 'שלום', status: '👩‍🚀', placedAt: '' },
  amounts: { quantity: 0, unitPrice: 0, discount: 1e-7, tax: 123456789.01, total: -0.5 },
}

/** Orders as each upstream type encodes them. */
const encodeUpstream = {
  [mediaTypes.json]: (orders: readonly Order[]) => Buffer.from(JSON.stringify({ orders })),
  [mediaTypes.protobuf]: (orders: readonly Order[]) => Buffer.from(OrderList.encode({ orders }).finish()),
}

for (const name of namesOf('serialization')) {
  describe(`serialization/${name}`, async () => {
    const { createSerialization } = await implementations.serialization[name]()
    const serialization = createSerialization()
    const decode = (orders: readonly Order[]) =>
      serialization.decodeOrders(
        encodeUpstream[serialization.upstreamType as keyof typeof encodeUpstream](orders),
      )

    for (const payload of payloads) {
      for (const count of [0, 1, MAX_ORDERS]) {
        test(`makes the same JSON of ${count} orders of ${payload} as every other`, () => {
          const encode = serialization.upstreamType === mediaTypes.json ? encodeJson : encodeProtobuf
          const orders = serialization.decodeOrders(encode(count, payload, 1))
          const { contentType, body } = serialization.encode(
            'OrdersAnswer',
            { seed: 1, payload, orders },
            undefined,
          )
          assert.equal(contentType, 'application/json; charset=utf-8')
          assert.equal(body, JSON.stringify({ seed: 1, payload, orders: selectOrders(count, payload, 1) }))
        })
      }
    }

    test('loses no text and no number', () => {
      const orders = decode([awkward, { ...awkward, details: null }, { ...awkward, amounts: null }])
      const answer: Answers['DemoAnswer'] = { seed: 0, tasks: [subsetSum({ size: 5, seed: 2 })], orders }
      const { body } = serialization.encode('DemoAnswer', answer, 'application/json')
      assert.deepEqual(JSON.parse(body as string), {
        ...answer,
        orders: [awkward, { ...awkward, details: null }, { ...awkward, amounts: null }],
      })
    })

    test('refuses bytes that upstream should not have sent', () => {
      assert.throws(() => serialization.decodeOrders(Buffer.from('{"orders":[{"id":')))
    })
  })
}

describe('serialization/protobuf, asked for Protobuf', async () => {
  const { createSerialization } = await implementations.serialization.protobuf()
  const serialization = createSerialization()

  test('answers a message that holds what the JSON would', () => {
    const orders = serialization.decodeOrders(encodeProtobuf(3, 'mixed', 5))
    const answer: Answers['DemoAnswer'] = { seed: 5, tasks: [subsetSum({ size: 5, seed: 2 })], orders }
    const { contentType, body } = serialization.encode('DemoAnswer', answer, mediaTypes.protobuf)
    assert.equal(contentType, 'application/x-protobuf')
    const { DemoAnswer } = answerMessages
    const decoded = DemoAnswer.toObject(DemoAnswer.decode(body as Buffer), { defaults: true })
    assert.deepEqual(decoded, { ...answer, orders: selectOrders(3, 'mixed', 5) })
  })
})

test('the Protobuf messages and the JSON schemas of the answers have the same fields', () => {
  for (const [name, schema] of Object.entries(answerSchemas)) {
    const fields = answerMessages[name as AnswerName].fieldsArray.map(field => field.name)
    assert.deepEqual(fields, Object.keys(schema.properties), name)
  }
})
