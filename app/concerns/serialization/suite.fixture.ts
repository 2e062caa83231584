import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectOrders } from '../../../orders/catalogue.ts'
import { MAX_ORDERS, payloads } from '../../../orders/order.ts'
import { awkward, demoOf, queryOf, start } from '../../answers/making.fixture.ts'
import type { Implementation } from '../../concerns.ts'
import { describeCause, type Problem } from '../../problems.ts'
import { hasCode, startOnce } from '../../test-options.fixture.ts'

/**
 * Tests that an implementation of serialization keeps its contract.
 * @param skip the reason why the implementation cannot be tested here
 */
export function testSerialization(name: Implementation<'serialization'>, skip: string | false = false): void {
  describe(`serialization/${name}`, { skip }, () => {
    const started = startOnce(suite => start(suite, name))

    for (const payload of payloads) {
      for (const count of [0, 1, MAX_ORDERS]) {
        test(`makes the same JSON of ${count} orders of ${payload} as every other`, async () => {
          const { make } = started()
          const { contentType, body } = await make('OrdersAnswer', queryOf(count, payload))
          assert.equal(contentType, 'application/json; charset=utf-8')
          const orders = selectOrders(count, payload, 1)
          assert.equal(String(body), JSON.stringify({ seed: 1, payload, orders }))
        })
      }
    }

    test('loses no text and no number', async () => {
      const { make } = started()
      const sent = [awkward, { ...awkward, details: null }, { ...awkward, amounts: null }]
      const { body } = await make('DemoAnswer', queryOf(3), { sent, accept: 'application/json' })
      assert.deepEqual(JSON.parse(String(body)), demoOf(sent))
    })

    test('treats malformed upstream data as a failure of the upstream', async () => {
      const { make } = started()
      for (const text of ['{"orders":[{"id":', '{"orders":[null]}']) {
        const sent = Buffer.from(text)
        await assert.rejects(make('OrdersAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
        await assert.rejects(make('DemoAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
      }
    })

    test('treats a wrong number of orders as a failure of the upstream, and reports the number', async () => {
      const { make } = started()
      const answer = make('OrdersAnswer', queryOf(2), { sent: [awkward] })
      await assert.rejects(answer, error => {
        assert.match(String(describeCause(error as Problem)), /2 orders were asked for, 1 came/)
        return hasCode('UPSTREAM_FAILED')(error)
      })
    })
  })
}
