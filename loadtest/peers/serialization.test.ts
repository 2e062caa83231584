import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeUpstream } from '../../app/answers/making.fixture.ts'
import { testSerialization } from '../../app/concerns/serialization/suite.fixture.ts'
import type { Implementation } from '../../app/concerns.ts'
import type { Order } from '../../orders/order.ts'
import { peers } from './index.ts'
import { installed } from './install.ts'
import './register.ts'

/** Without its package a peer cannot even be loaded. */
const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'

if (!skip) {
  const { MESSAGE_PACK, packr } = await peers.serialization.msgpackr()
  Object.assign(encodeUpstream, { [MESSAGE_PACK]: (orders: readonly Order[]) => packr.pack({ orders }) })
}
for (const name of Object.keys(peers.serialization))
  testSerialization(name as Implementation<'serialization'>, skip)

describe('parsers of JSON that are compiled from a schema, which the service does not use', { skip }, () => {
  test('turbo-json-parse refuses valid JSON: a space before a colon, a small number', async () => {
    const { default: compile } = await import('turbo-json-parse')
    const type = { type: 'object', properties: { a: { type: 'number' } } }
    const parse = compile(type)
    assert.deepEqual(parse('{"a":19}'), { a: 19 })
    assert.throws(() => parse('{ "a" : 19 }'), /Unexpected key/)
    assert.throws(() => parse(JSON.stringify({ a: 1e-7 })), /Unexpected token in number/)
    assert.deepEqual(compile(type, { fullMatch: false })('{ "a" : 1 }'), { a: 0 }, 'a wrong number')
  })

  test('jitson, once it has learned a type, accepts what is no JSON, and invents a number', async () => {
    const { default: create } = await import('jitson')
    const parse = create()
    for (let count = 0; !parse.turbo && count < 1000; count++) parse('{"id":7}')
    assert.deepEqual(parse('{"id":}'), { id: 0 })
    assert.deepEqual(parse('{"id":7}, and more'), { id: 7 })
  })
})
