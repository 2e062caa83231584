import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectOrders } from '../../orders/catalogue.ts'
import '../concerns/serialization/threads.ts'
import { demoOf, hasCode, newContext, queryOf, start } from './making.fixture.ts'

for (const compute of ['threads', 'processes'] as const) {
  describe(`serialization/threads with compute/${compute}, a pool`, () => {
    test('gives each of 200 concurrent requests the answer to its own seed', async t => {
      const { make } = await start(t, 'threads', compute)
      const seeds = Array.from({ length: 200 }, (_, seed) => seed)
      const answers = await Promise.all(seeds.map(seed => make('OrdersAnswer', queryOf(3, 'mixed', seed))))
      assert.deepEqual(
        answers.map(({ body }) => JSON.parse(String(body))),
        seeds.map(seed => ({ seed, payload: 'mixed', orders: selectOrders(3, 'mixed', seed) })),
      )
    })

    test('fails the request whose data is bad, and no other', async t => {
      const { make } = await start(t, 'threads', compute)
      const sent = Buffer.from('{"orders":[{"id":')
      const bad = make('DemoAnswer', queryOf(1), { sent })
      const neighbour = make('DemoAnswer', queryOf(1))
      await assert.rejects(bad, hasCode('UPSTREAM_FAILED'))
      assert.deepEqual(JSON.parse(String((await neighbour).body)), demoOf(selectOrders(1, 'mixed', 1)))
    })

    test('makes answers again that were lost when their thread or process died', async t => {
      const { make, pool } = await start(t, 'threads', compute)
      const before = [0, 1, 2].map(seed => make('DemoAnswer', queryOf(2, 'mixed', seed)))
      const dying = pool.run(newContext(), { name: 'die', input: {} } as never)
      const behind = [3, 4, 5].map(seed => make('DemoAnswer', queryOf(2, 'mixed', seed)))
      await assert.rejects(dying, hasCode('TASK_FAILED'))
      for (const [seed, { body }] of (await Promise.all([...before, ...behind])).entries())
        assert.deepEqual(JSON.parse(String(body)), demoOf(selectOrders(2, 'mixed', seed), seed))
    })
  })
}
