import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { monotonicMs } from '../../../lib/units.ts'
import { selectOrders } from '../../../orders/catalogue.ts'
import { OrderList } from '../../../orders/messages.ts'
import { mediaTypes, type Order } from '../../../orders/order.ts'
import { encodeRecommendations, selectRecommendations } from '../../../orders/recommendations.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import type { PageInput, PartCall, PartName } from '../../../render/protocol.ts'
import { type Implementation, implementations, namesOf } from '../../concerns.ts'
import { RequestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import { misbehaving } from './renderer.fixture.ts'

const FIXTURE = join(import.meta.dirname, 'renderer.fixture.ts')
const query: PageQuery = { seed: 1, orders: 200, search: '', status: '', sort: 'placed', theme: 'auto' }

async function start(
  t: TestContext,
  name: Implementation<'rendering'>,
  { threads = 1, timeoutMs = 60_000 } = {},
) {
  const { createRendering } = await implementations.rendering[name]()
  const rendering = await createRendering({
    threads,
    workerPriority: 0,
    workerMemoryMib: 128,
    rendererFile: FIXTURE,
    partTimeoutMs: timeoutMs,
  })
  t.after(() => rendering.close())
  return {
    rendering,
    async html(call: PartCall, context = newContext()): Promise<string> {
      return new TextDecoder().decode((await rendering.render(context, call)).html)
    },
  }
}

const newContext = () => new RequestContext('a-request', monotonicMs() + 60_000)

function inputOf(orders: readonly Order[], given: Partial<PageQuery> = {}, timeoutMs = 60_000): PageInput {
  const envelope = { requestId: 'a-request', traceparent: undefined, deadline: monotonicMs() + timeoutMs }
  const data = OrderList.encode({ orders }).finish()
  return { envelope, query: { ...query, orders: orders.length, ...given }, data, type: mediaTypes.protobuf }
}

const part = (name: PartName, index: number, input: PageInput): PartCall => ({ name, index, input })
const hasCode = (code: string) => (error: unknown) => (error as Problem).code === code

/** An order that a card cannot show, because its day is not a date. */
const [sound] = selectOrders(1, 'mixed', 1) as [Order]
const broken = {
  ...sound,
  details: { ...(sound.details as NonNullable<Order['details']>), placedAt: 'soon' },
}

const awkward: Order = {
  id: 7,
  details: {
    customer: '</script><script>alert(1)</script>',
    product: 'שלום עולם',
    city: '👩‍🚀 & "Co"',
    status: '<!--',
    placedAt: '2026-03-01T00:00:00.000Z',
  },
  amounts: { quantity: 1, unitPrice: 1, discount: 0, tax: 0, total: 1 },
}

describe('the same part', () => {
  for (const [what, orders] of [
    ['of no orders', []],
    ['of 200 orders', selectOrders(200, 'mixed', 3)],
    ['of text that has to be escaped', [awkward]],
  ] as const) {
    test(`${what} is the same in every implementation, as JSON and as Protobuf`, async t => {
      const pages = await Promise.all(
        namesOf('rendering').map(async name => {
          const { html } = await start(t, name)
          const input = inputOf(orders)
          const asJson = { ...input, data: Buffer.from(JSON.stringify({ orders })), type: mediaTypes.json }
          const recommendations = encodeRecommendations.protobuf(selectRecommendations(6, 1))
          return [
            await html(part('summary', 0, input)),
            await html(part('summary', 0, asJson)),
            await html(part('orders', 0, input)),
            await html(part('recommendations', 0, { ...input, data: recommendations })),
          ]
        }),
      )
      const [first, ...others] = pages
      assert.ok(first?.every(html => html.length > 0))
      assert.equal(first?.[0], first?.[1])
      for (const other of others) assert.deepEqual(other, first)
    })
  }
})

for (const name of namesOf('rendering')) {
  describe(`rendering/${name}`, () => {
    test('shows every order once, sorted by the query, and hides orders that the query excludes', async t => {
      const { html } = await start(t, name, { threads: 2 })
      const orders = selectOrders(200, 'mixed', 5)
      const input = inputOf(orders, { sort: 'total', status: 'paid' })
      const list = (await Promise.all([0, 1, 2].map(index => html(part('orders', index, input))))).join('')
      const shown = [...list.matchAll(/<li class="order"( hidden="")? data-id="(\d+)"/g)]
      const expected = orders.toSorted((a, b) => (b.amounts?.total ?? 0) - (a.amounts?.total ?? 0))
      assert.deepEqual(
        shown.map(([, hidden, id]) => [Number(id), hidden === undefined]),
        expected.map(({ id, details }) => [id, details?.status === 'paid']),
      )
    })

    test('shows an order without details or amounts', async t => {
      const { html } = await start(t, name)
      const bare = { id: 9, details: null, amounts: null }
      assert.match(await html(part('orders', 0, inputOf([bare]))), /Order 9</)
    })

    test('escapes text, also in the data for the browser', async t => {
      const { html } = await start(t, name)
      const summary = await html(part('summary', 0, inputOf([awkward], { search: '</script>' })))
      assert.equal(summary.match(/<script/g)?.length, 1)
      assert.equal(summary.match(/<\/script/g)?.length, 1)
      assert.doesNotMatch(await html(part('orders', 0, inputOf([awkward]))), /<script|<!--<|<\/script/)
    })

    test('says which component of a part threw, and fails no other part', async t => {
      const { html } = await start(t, name)
      const failing = html(part('orders', 0, inputOf([broken])))
      const neighbour = html(part('orders', 0, inputOf([sound])))
      await assert.rejects(failing, (error: Problem) => {
        assert.equal(error.code, 'PART_FAILED')
        assert.match(String(error.cause), /RangeError[\s\S]*Components:[\s\S]*at OrderCard/)
        return true
      })
      assert.match(await neighbour, /Order 2</)
    })

    test('fails a part whose data does not match its type', async t => {
      const { html } = await start(t, name)
      const garbage = { ...inputOf([]), data: Buffer.from('garbage'), type: mediaTypes.json }
      await assert.rejects(html(part('summary', 0, garbage)), hasCode('UPSTREAM_FAILED'))
      for (const misshapen of ['{}', '{"orders":"xx"}', '{"orders":[null]}', '{"orders":{"length":1}}']) {
        const data = Buffer.from(misshapen)
        const bad = { ...inputOf([sound]), data, type: mediaTypes.json }
        await assert.rejects(html(part('summary', 0, bad)), hasCode('UPSTREAM_FAILED'), misshapen)
      }
      const tooFew = { ...inputOf([sound]), query: { ...query, orders: 2 } }
      await assert.rejects(html(part('summary', 0, tooFew)), hasCode('UPSTREAM_FAILED'))
    })

    test('does not render a part that is late or whose client has gone', async t => {
      const { html } = await start(t, name)
      await assert.rejects(html(part('orders', 0, inputOf([sound], {}, -1))), hasCode('DEADLINE_PASSED'))
      const context = newContext()
      context.leave()
      await assert.rejects(html(part('orders', 0, inputOf([sound])), context), hasCode('CLIENT_GONE'))
    })
  })
}

/** Implementations without a pool: there, a part that never ends would block the app, and a part that ends its thread would end the app. */
const poolless: Readonly<Record<string, string>> = {
  string: 'the main thread renders at once',
  stream: 'the main thread renders in pieces',
}

for (const name of namesOf('rendering').filter(each => !(each in poolless))) {
  describe(`rendering/${name}, a pool`, () => {
    for (const [what, seed] of Object.entries(misbehaving)) {
      test(`fails only the part that ${what}, and restores the pool`, async t => {
        const { html, rendering } = await start(t, name, { timeoutMs: 400 })
        const orders = selectOrders(200, 'mixed', 1)
        const before = [0, 2].map(index => html(part('orders', index, inputOf(orders))))
        const failing = html(part('orders', 1, inputOf(orders, { seed })))
        const behind = [0, 1, 2].map(index => html(part('orders', index, inputOf(orders))))
        await assert.rejects(failing, hasCode('PART_FAILED'))
        for (const list of await Promise.all([...before, ...behind])) assert.match(list, /Order \d+/)
        await assert.rejects(html(part('orders', 1, inputOf(orders, { seed }))), hasCode('PART_FAILED'))
        assert.match(await html(part('summary', 0, inputOf(orders))), /200/)
        assert.equal((await rendering.readPool())?.queueLength, 0)
      })
    }

    test('removes parts when their client goes away', async t => {
      const { html, rendering } = await start(t, name)
      const orders = selectOrders(2000, 'mixed', 1)
      const running = [0, 1].map(index => html(part('orders', index, inputOf(orders))))
      const context = newContext()
      const left = [2, 3, 4].map(index => html(part('orders', index, inputOf(orders)), context))
      assert.equal((await rendering.readPool())?.queueLength, 3)
      context.leave()
      for (const each of left) await assert.rejects(each, hasCode('CLIENT_GONE'))
      await Promise.all(running)
      assert.equal((await rendering.readPool())?.queueLength, 0)
    })
  })
}
