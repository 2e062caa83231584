import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectOrders } from '../../../orders/catalogue.ts'
import { MAX_ORDERS, payloads } from '../../../orders/order.ts'
import { awkward, demoOf, queryOf, start } from '../../answers/making.fixture.ts'
import type { Implementation } from '../../concerns.ts'
import { describeCause, type Problem } from '../../problems.ts'
import { hasCode, newContext, startOnce } from '../../test-options.fixture.ts'

/**
 * Tests that an implementation of serialization keeps its contract.
 * @param skip the reason why the implementation cannot be tested here
 */
export function testSerialization(name: Implementation<'serialization'>, skip: string | false = false): void {
  describe(`serialization/${name}`, { skip }, () => {
    const started = startOnce(suite => start(suite, name))
    const begin = () => {
      const making = started()
      making.logged.length = 0
      return making
    }

    for (const payload of payloads) {
      for (const count of [0, 1, MAX_ORDERS]) {
        test(`makes the same JSON of ${count} orders of ${payload} as every other`, async () => {
          const { make } = begin()
          const { contentType, body } = await make('OrdersAnswer', queryOf(count, payload))
          assert.equal(contentType, 'application/json; charset=utf-8')
          const orders = selectOrders(count, payload, 1)
          assert.equal(String(body), JSON.stringify({ seed: 1, payload, orders }))
        })
      }
    }

    test('loses no text and no number', async () => {
      const { make } = begin()
      const sent = [awkward, { ...awkward, details: null }, { ...awkward, amounts: null }]
      const { body } = await make('DemoAnswer', queryOf(3), { sent, accept: 'application/json' })
      assert.deepEqual(JSON.parse(String(body)), demoOf(sent))
    })

    test('logs the first ten orders of a demo in the context of its request', async () => {
      const { make, logged } = begin()
      await make('DemoAnswer', queryOf(15), { context: newContext({ requestId: 'the-demo' }) })
      const lines = selectOrders(10, 'mixed', 1).map(({ id, details, amounts }) => ({
        requestId: 'the-demo',
        message: 'order read',
        orderId: id,
        status: details?.status,
        total: amounts?.total,
      }))
      assert.deepEqual(logged, lines)
    })

    test('treats malformed upstream data as a failure of the upstream', async () => {
      const { make, logged } = begin()
      for (const text of ['{"orders":[{"id":', '{"orders":[null]}']) {
        const sent = Buffer.from(text)
        await assert.rejects(make('OrdersAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
        await assert.rejects(make('DemoAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
      }
      assert.deepEqual(logged, [])
    })

    test('treats a wrong number of orders as a failure of the upstream, and reports the number', async () => {
      const { make } = begin()
      const answer = make('OrdersAnswer', queryOf(2), { sent: [awkward] })
      await assert.rejects(answer, error => {
        assert.match(String(describeCause(error as Problem)), /2 orders were asked for, 1 came/)
        return hasCode('UPSTREAM_FAILED')(error)
      })
    })

    test('makes no demo that is past its deadline, or whose client is gone', async () => {
      const { make, logged } = begin()
      const late = make('DemoAnswer', queryOf(1), { context: newContext({ timeoutMs: -1 }) })
      await assert.rejects(late, hasCode('DEADLINE_PASSED'))
      const context = newContext()
      context.abort()
      await assert.rejects(make('DemoAnswer', queryOf(1), { context }), hasCode('CLIENT_GONE'))
      assert.deepEqual(logged, [])
    })
  })
}
