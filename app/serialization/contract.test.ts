import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { selectOrders } from '../../orders/catalogue.ts'
import { OrderList } from '../../orders/messages.ts'
import { MAX_ORDERS, mediaTypes, type Order, type Payload, payloads } from '../../orders/order.ts'
import { subsetSum } from '../../workers/subset-sum.ts'
import { type Implementation, implementations, namesOf } from '../concerns.ts'
import { RequestContext, requestContext } from '../context.ts'
import type { LogFields, Logger } from '../logging/contract.ts'
import type { OrdersClient, OrdersQuery } from '../orders-client.ts'
import { describeCause, type Problem } from '../problems.ts'
import { answerSchemas } from './answers.schema.ts'
import { createAnswers } from './answers.ts'
import type { AnswerName, Answers } from './contract.ts'
import { answerMessages } from './messages.ts'

const TASKS = join(import.meta.dirname, '../../workers/tasks.fixture.ts')

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

/** What upstream sends: these orders, or those of the catalogue, or bytes. */
type Sent = readonly Order[] | Buffer<ArrayBuffer> | undefined

async function start(
  t: TestContext,
  name: Implementation<'serialization'>,
  compute: Implementation<'compute'>,
) {
  const logged: unknown[] = []
  const log = (message: string, fields?: LogFields) =>
    logged.push({ requestId: requestContext.getStore()?.requestId, message, ...fields })
  const logger: Logger = { error: log, warn: log, info: log, debug: log }
  const { createSerialization } = await implementations.serialization[name]()
  const serialization = createSerialization()
  const { createCompute } = await implementations.compute[compute]()
  const { codecFile } = serialization
  const pool = await createCompute({
    threads: 1,
    workerPriority: 0,
    taskTimeoutMs: 60_000,
    workerMemoryMib: 128,
    tasksFile: TASKS,
    codecFile,
    logger,
  })
  t.after(() => pool.close())
  const send = (sent: Sent, { count, payload, seed }: OrdersQuery) =>
    Buffer.isBuffer(sent)
      ? sent
      : encodeUpstream[serialization.upstreamType](sent ?? selectOrders(count, payload, seed))
  const make = (
    name: AnswerName,
    query: OrdersQuery,
    { sent, accept, context = newContext() }: { sent?: Sent; accept?: string; context?: RequestContext } = {},
  ) => {
    const upstream = { fetchOrders: async () => send(sent, query) } as unknown as OrdersClient
    const answers = createAnswers({ serialization, compute: pool, upstream, logger })
    return requestContext.run(context, () => answers.make(name, query, context, accept))
  }
  return { make, pool, logged }
}

const newContext = ({ requestId = 'a-request', timeoutMs = 60_000 } = {}) =>
  new RequestContext(requestId, Date.now() + timeoutMs)

const queryOf = (count: number, payload: Payload = 'mixed', seed = 1): OrdersQuery => ({
  count,
  payload,
  seed,
})

function demoOf(orders: readonly Order[], seed = 1): Answers['DemoAnswer'] {
  return { seed, tasks: [13, 8].map(size => subsetSum({ size, seed })), orders }
}

const hasCode = (code: string) => (error: unknown) => (error as Problem).code === code

const IN_THREADS: string = 'threads'

/** Where the main thread makes the answers, compute is asked for nothing but tasks: one of them is enough. */
const compositions = namesOf('serialization').flatMap(name => {
  const computes = name === IN_THREADS ? namesOf('compute') : namesOf('compute').slice(0, 1)
  return computes.map(compute => ({ name, compute }))
})

for (const { name, compute } of compositions) {
  describe(`serialization/${name} with compute/${compute}`, () => {
    for (const payload of payloads) {
      for (const count of [0, 1, MAX_ORDERS]) {
        test(`makes the same JSON of ${count} orders of ${payload} as every other`, async t => {
          const { make } = await start(t, name, compute)
          const { contentType, body } = await make('OrdersAnswer', queryOf(count, payload))
          assert.equal(contentType, 'application/json; charset=utf-8')
          const orders = selectOrders(count, payload, 1)
          assert.equal(String(body), JSON.stringify({ seed: 1, payload, orders }))
        })
      }
    }

    test('loses no text and no number', async t => {
      const { make } = await start(t, name, compute)
      const sent = [awkward, { ...awkward, details: null }, { ...awkward, amounts: null }]
      const { body } = await make('DemoAnswer', queryOf(3), { sent, accept: 'application/json' })
      assert.deepEqual(JSON.parse(String(body)), demoOf(sent))
    })

    test('logs the first ten orders of a demo in the context of its request', async t => {
      const { make, logged } = await start(t, name, compute)
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

    test('takes bytes that upstream should not have sent for its failure', async t => {
      const { make, logged } = await start(t, name, compute)
      const sent = Buffer.from('{"orders":[{"id":')
      await assert.rejects(make('OrdersAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
      await assert.rejects(make('DemoAnswer', queryOf(1), { sent }), hasCode('UPSTREAM_FAILED'))
      assert.deepEqual(logged, [])
    })

    test('takes another number of orders for the failure of upstream, and says how many', async t => {
      const { make } = await start(t, name, compute)
      const answer = make('OrdersAnswer', queryOf(2), { sent: [awkward] })
      await assert.rejects(answer, error => {
        assert.match(String(describeCause(error as Problem)), /2 orders were asked for, 1 came/)
        return hasCode('UPSTREAM_FAILED')(error)
      })
    })

    test('makes no demo that is past its deadline, or whose client is gone', async t => {
      const { make, logged } = await start(t, name, compute)
      const late = make('DemoAnswer', queryOf(1), { context: newContext({ timeoutMs: -1 }) })
      await assert.rejects(late, hasCode('DEADLINE_PASSED'))
      const context = newContext()
      context.leave()
      await assert.rejects(make('DemoAnswer', queryOf(1), { context }), hasCode('CLIENT_GONE'))
      assert.deepEqual(logged, [])
    })
  })
}

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

    test('makes answers again that are lost with what made them', async t => {
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

describe('serialization/protobuf, asked for Protobuf', () => {
  test('answers a message that holds what the JSON would', async t => {
    const { make } = await start(t, 'protobuf', 'inline')
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
