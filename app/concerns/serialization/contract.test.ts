import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectOrders } from '../../../orders/catalogue.ts'
import { mediaTypes } from '../../../orders/order.ts'
import { demoOf, queryOf, start } from '../../answers/making.fixture.ts'
import type { AnswerName } from '../../answers/order-answers.ts'
import { namesOf } from '../../concerns.ts'
import { answerSchemas } from './compiled.ts'
import { answerMessages } from './protobuf.ts'
import { testSerialization } from './suite.fixture.ts'

for (const name of namesOf('serialization')) testSerialization(name)

describe('serialization/protobuf, for a client that accepts Protobuf', () => {
  test('answers a message with the same content as the JSON', async t => {
    const { make } = await start(t, 'protobuf')
    const { contentType, body } = await make('DemoAnswer', queryOf(3, 'mixed', 5), {
      accept: mediaTypes.protobuf,
    })
    assert.equal(contentType, 'application/x-protobuf')
    const { DemoAnswer } = answerMessages
    const decoded = DemoAnswer.toObject(DemoAnswer.decode(body as Buffer), { defaults: true })
    assert.deepEqual(decoded, demoOf(selectOrders(3, 'mixed', 5), 5))
  })
})

test('the Protobuf messages and the JSON schemas of the answers have the same fields', () => {
  for (const [name, schema] of Object.entries(answerSchemas)) {
    const fields = answerMessages[name as AnswerName].fieldsArray.map(field => field.name)
    assert.deepEqual(fields, Object.keys(schema.properties), name)
  }
})
