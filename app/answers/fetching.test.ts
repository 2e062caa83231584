import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { selectOrders } from '../../orders/catalogue.ts'
import { hasCode, newContext } from '../test-options.fixture.ts'
import { startFetching } from './fetching.fixture.ts'
import { demoOf } from './making.fixture.ts'

const ordersOf = (seed: number) => selectOrders(2, 'mixed', seed)

describe('a thread that fetches and makes answers', () => {
  test('gives each of 200 concurrent requests the answer to its own seed', async t => {
    const { make, recorded, requests } = await startFetching(t)
    const seeds = Array.from({ length: 200 }, (_, seed) => seed)
    const answers = await Promise.all(seeds.map(seed => make('OrdersAnswer', seed)))
    for (const [seed, { body }] of answers.entries())
      assert.deepEqual(JSON.parse(String(body)), { seed, payload: 'mixed', orders: ordersOf(seed) })
    assert.deepEqual(new Set(recorded), new Set(['200 undefined']))
    assert.equal(requests[0]?.headers.traceparent, 'the call')
  })

  test('runs the tasks, and writes the log lines of the request, numbered, with secrets redacted', async t => {
    const { make, lines } = await startFetching(t)
    const { body } = await make('DemoAnswer', 1, newContext({ requestId: 'the-demo' }))
    assert.deepEqual(JSON.parse(String(body)), demoOf(ordersOf(1)))
    const parsed = lines.map(line => JSON.parse(line))
    assert.deepEqual(
      parsed.map(({ time, 'thread.id': thread, ...line }) => line),
      ordersOf(1).map(({ id, amounts }, index) => ({
        level: 'info',
        sequence: index + 1,
        requestId: 'the-demo',
        orderId: id,
        status: '[redacted]',
        total: amounts?.total,
        message: 'order read',
      })),
    )
    assert.ok(parsed.every(line => line['thread.id'] === parsed[0]['thread.id'] && line['thread.id'] > 0))
  })

  test('writes no lines whose level is not enabled', async t => {
    const { make, lines } = await startFetching(t, undefined, 'warn')
    await make('DemoAnswer', 1)
    assert.deepEqual(lines, [])
  })

  test('answers others while the upstream takes its time for one', async t => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
    const { make } = await startFetching(t, async seed => (seed === 0 ? held : undefined))
    const slow = make('DemoAnswer', 0)
    for (let seed = 1; seed < 10; seed++)
      assert.deepEqual(
        JSON.parse(String((await make('DemoAnswer', seed)).body)),
        demoOf(ordersOf(seed), seed),
      )
    release(undefined)
    assert.deepEqual(JSON.parse(String((await slow).body)), demoOf(ordersOf(0), 0))
  })

  test('fails the request for which the upstream fails or sends bad data, and no other', async t => {
    const garbage = Buffer.from('{"orders":[{"id":')
    const { make, recorded, lines } = await startFetching(t, async seed => [undefined, garbage, 500][seed])
    const [answer] = await Promise.all([
      make('DemoAnswer', 0),
      assert.rejects(make('DemoAnswer', 1), hasCode('UPSTREAM_FAILED')),
      assert.rejects(make('DemoAnswer', 2), hasCode('UPSTREAM_FAILED')),
    ])
    assert.deepEqual(JSON.parse(String(answer.body)), demoOf(ordersOf(0), 0))
    assert.deepEqual(recorded.sort(), ['200 undefined', '200 undefined', '500 UPSTREAM_FAILED'])
    assert.equal(lines.length, 2)
  })

  test('ends the call when the client leaves', async t => {
    const { make, server, recorded } = await startFetching(t, () => new Promise(() => {}))
    const context = newContext()
    const refused = assert.rejects(make('DemoAnswer', 1, context), hasCode('CLIENT_GONE'))
    const [request] = await once(server, 'request')
    context.abort()
    await Promise.all([refused, once(request.socket, 'close')])
    assert.deepEqual(recorded, ['0 CLIENT_GONE'])
  })

  test('makes an answer again, with its lines once, when the thread dies while it waits for the upstream', async t => {
    let asked = 0
    const { make, server, compute, lines } = await startFetching(t, async () =>
      ++asked === 1 ? new Promise(() => {}) : undefined,
    )
    const answer = make('DemoAnswer', 1)
    await once(server, 'request')
    compute.operated?.kill?.()
    assert.deepEqual(JSON.parse(String((await answer).body)), demoOf(ordersOf(1)))
    assert.equal(asked, 2)
    assert.equal(lines.length, 2)
  })
})
