import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { applyChunks } from '../../../lib/apply-chunks.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { selectOrders, selectRecommendations } from '../../../orders/catalogue.ts'
import { encodeRecommendations } from '../../../orders/encoded.ts'
import { mediaTypes, type Order } from '../../../orders/order.ts'
import { awkward, encodeUpstream } from '../../answers/making.fixture.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import * as faultyPage from '../../pages/page.faulty.ts'
import { type PageRequest, pageFetcher } from '../../pages/page-data.ts'
import type { PageQuery } from '../../pages/view/data.ts'
import { Problem, toProblem } from '../../problems.ts'
import { type Closing, hasCode, newContext, startOnce, testPromise } from '../../test-options.fixture.ts'

const NONCE = '01234567-89ab-cdef-0123-456789abcdef'
const defaults = { seed: 1, orders: 200, search: '', status: '', sort: 'placed' } as const
const never = new Promise<never>(() => {})

/** The bodies that upstream sends. By default they hold orders of the catalogue and recommendations. */
interface Sent {
  readonly orders?: readonly Order[] | Buffer<ArrayBuffer> | Promise<never>
  readonly recommendations?: Buffer | Promise<never> | Problem
}

interface Options {
  readonly type?: keyof typeof mediaTypes
  readonly timeoutMs?: number
}

/** Starts an implementation whose upstream sends what the test says, and some of whose pages misbehave. */
export async function start(
  t: Closing,
  name: Implementation<'rendering'>,
  { type = 'json', timeoutMs = 60_000 }: Options = {},
) {
  let sent: Sent = {}
  const { createRendering } = await implementations.rendering[name]()
  const encodeOrders = encodeUpstream[mediaTypes[type]]
  const client: Parameters<typeof pageFetcher>[0] = {
    async fetchOrders({ count, seed }) {
      const orders = (await sent.orders) ?? selectOrders(count, 'mixed', seed)
      return Buffer.isBuffer(orders) ? orders : encodeOrders(orders)
    },
    async fetchRecommendations() {
      if (sent.recommendations instanceof Problem) throw sent.recommendations
      return sent.recommendations ?? encodeRecommendations[type](selectRecommendations(6, 1))
    },
  }
  const options = {
    threads: 1,
    workerPriority: 0,
    workerMemoryMib: 64,
    taskTimeoutMs: 60_000,
    fetchPage: pageFetcher(client),
    page: faultyPage,
    pageFile: new URL('../../pages/page.faulty.ts', import.meta.url).href,
    faults: true,
    partTimeoutMs: timeoutMs,
    upstreamType: mediaTypes[type],
  }
  const rendering = await createRendering(options)
  t.after(() => rendering.close())
  const missing: string[] = []
  const causes: string[] = []
  const ends: boolean[] = []
  const request = (query: Partial<PageQuery> = {}): PageRequest => ({
    context: newContext(),
    query: { ...defaults, ...query },
    nonce: NONCE,
    deadline: monotonicMs() + timeoutMs,
    onMissing(part, error) {
      const problem = toProblem(error)
      missing.push(`${part} ${problem.code}`)
      causes.push(String(problem.cause))
    },
    onEnd: end => ends.push(Number.isFinite(end.waitMs + end.runMs)),
  })
  /** The document, with all chunks applied. */
  async function html(query?: Partial<PageQuery>): Promise<string> {
    const body = await rendering.render(request(query))
    const page = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : await text(body)
    return applyChunks(page, NONCE)
  }
  const seen = { missing, causes, ends }
  /** Forgets what was seen. From now on upstream sends this. */
  const begin = (data: Sent = {}) => {
    sent = data
    for (const list of Object.values(seen)) list.length = 0
    return { html, ...seen }
  }
  return { rendering, request, html, begin }
}

/** Of orders of which one cannot be shown: what the page of an implementation has, if not all others. */
const shownBesideBroken: Readonly<Record<string, readonly RegExp[]>> = {
  parts: [/The orders are not here yet/],
}

/** Implementations whose page does not misbehave on demand. */
const wellBehaved: Readonly<Record<string, string>> = {
  parts: 'its components are in a module of their own',
}

const [first] = selectOrders(1, 'mixed', 1) as [Order]
const sound = { ...first, id: 2 }
/** An order that a card cannot show, because its day is not a date. */
const broken = {
  ...first,
  id: 1,
  details: { ...(first.details as NonNullable<Order['details']>), placedAt: 'soon' },
}
/** Orders with text that has to be escaped, and with nothing else. */
const odd: readonly Order[] = [awkward, { id: 9, details: null, amounts: null }]

/** Tests that implementations make the same page. */
export function testSamePage(
  names: readonly Implementation<'rendering'>[],
  skip: string | false = false,
): void {
  test(`the same page by ${names.join(', ')}`, { skip }, async t => {
    const started = await Promise.all(
      names.flatMap(name => (['json', 'protobuf'] as const).map(type => start(t, name, { type }))),
    )
    for (const [what, query, orders] of [
      ['of no orders', { orders: 0 }, undefined],
      ['of 200 orders', { orders: 200 }, undefined],
      ['of 600 orders', { orders: 600 }, undefined],
      ['of a choice', { orders: 200, sort: 'total', status: 'paid' }, undefined],
      ['of text that has to be escaped', { orders: 2, search: '</script>' }, odd],
    ] as const)
      await t.test(
        `${what} has the same bytes in every implementation, of JSON and of Protobuf`,
        async () => {
          const sent = orders ? { orders } : {}
          const [first, ...others] = await Promise.all(started.map(({ begin }) => begin(sent).html(query)))
          assert.match(first as string, /^<!DOCTYPE html><html .*<\/html>$/s)
          for (const other of others) assert.ok(other === first, 'a page differs from the first')
        },
      )
  })
}

/**
 * Tests that an implementation of rendering keeps its contract.
 * @param skip the reason why the implementation cannot be tested here
 */
export function testRendering(name: Implementation<'rendering'>, skip: string | false = false): void {
  describe(`rendering/${name}`, { skip }, () => {
    const started = startOnce(suite => start(suite, name))
    const impatient = startOnce(suite => start(suite, name, { timeoutMs: 500 }))

    test('shows every order once, sorted by the query, and hides orders that the query excludes', async () => {
      const { html, ends } = started().begin()
      const page = await html({ seed: 5, sort: 'total', status: 'paid' })
      const shown = [...page.matchAll(/<li class="order"( hidden="")? data-id="(\d+)"/g)]
      const expected = selectOrders(200, 'mixed', 5).toSorted(
        (a, b) => (b.amounts?.total ?? 0) - (a.amounts?.total ?? 0),
      )
      assert.deepEqual(
        shown.map(([, hidden, id]) => [Number(id), hidden === undefined]),
        expected.map(({ id, details }) => [id, details?.status === 'paid']),
      )
      assert.deepEqual(ends, [true])
    })

    test('escapes text, also in the data for the browser, and shows an order without details', async () => {
      const { html } = started().begin({ orders: odd })
      const page = await html({ orders: 2, search: '</script><script>' })
      assert.equal(page.match(/<script/g)?.length, page.match(/<\/script/g)?.length)
      assert.equal(page.match(/<script/g)?.length, 3, 'two scripts with data, and that of the browser')
      assert.match(page, /Order 9</)
    })

    test('says which component threw, and the page has all else', async () => {
      const { html, missing, causes, ends } = started().begin({ orders: [broken, sound] })
      const page = await html({ orders: 2 })
      for (const shown of shownBesideBroken[name] ?? [/Order 1 cannot be shown/, /<h3>Order 2</])
        assert.match(page, shown)
      assert.match(page, /<ul class="recommendations">/)
      assert.equal(missing[0], 'orders PART_FAILED')
      assert.match(causes[0] as string, /RangeError[\s\S]*at OrderCard/)
      assert.deepEqual(ends, [true])
    })

    const unkept = wellBehaved[name]
    testPromise('has no page if a component of the shell throws', unkept, async () => {
      const { html, missing, ends } = started().begin()
      await assert.rejects(
        html({ seed: faultyPage.misbehaving['throws in the shell'].seed }),
        (error: Problem) => {
          assert.equal(error.code, 'PART_FAILED')
          assert.match(String(error.cause), /RangeError: on purpose[\s\S]*at Summary/)
          return true
        },
      )
      assert.deepEqual(missing, [])
      assert.deepEqual(ends, [])
      assert.match(await html(), /Order \d+</)
    })

    testPromise('gives up a component that waits for ever', unkept, async () => {
      const { begin, html } = impatient()
      for (begin(); !/Order \d/.test(await html({ orders: 1 }).catch(String)); );
      const { missing } = begin()
      const page = await html({ orders: 1, seed: faultyPage.misbehaving['waits for ever'].seed }).catch(
        ({ code }: Problem) => code,
      )
      // Without the part, or not at all where a page is sent whole.
      const [said, ...others] = /Order \d/.test(page) ? missing : [page]
      assert.match(String(said), /(ANSWER_LATE|DEADLINE_PASSED|UPSTREAM_TIMEOUT)$/)
      assert.deepEqual(others, [])
    })

    for (const [what, data] of Object.entries({
      garbage: 'garbage',
      'no list': '{}',
      'a text': '{"orders":"xx"}',
      'a list of nothing': '{"orders":[null]}',
      'too few orders': '{"orders":[]}',
    }))
      test(`has no page if upstream sends ${what}`, async () => {
        const { html, ends } = started().begin({ orders: Buffer.from(data) })
        await assert.rejects(html({ orders: 1 }), hasCode('UPSTREAM_FAILED'))
        assert.deepEqual(ends, [])
      })

    for (const [what, data, code] of [
      ['are invalid', Buffer.from('garbage'), 'UPSTREAM_FAILED'],
      ['fail', new Problem('UPSTREAM_UNAVAILABLE'), 'UPSTREAM_UNAVAILABLE'],
      ['never come', never, 'UPSTREAM_TIMEOUT'],
    ] as const)
      test(`does without recommendations that ${what}`, async () => {
        const { begin, html } = data === never ? impatient() : started()
        // A thread that has just started, on a busy machine, takes longer than the time limit.
        for (begin(); !/Order \d/.test(await html({ orders: 1 }).catch(String)); );
        const { missing, ends } = begin({ recommendations: data })
        const page = await html({ orders: 1 })
        assert.match(page, /Recommendations are not available/)
        assert.equal(page.match(/<li class="order"/g)?.length, 1)
        assert.deepEqual(missing, [`recommendations ${code}`])
        assert.deepEqual(ends, [true])
      })

    test('has no page if the orders are late', async () => {
      const { html, ends } = impatient().begin({ orders: never })
      await assert.rejects(html(), hasCode('UPSTREAM_TIMEOUT'))
      assert.deepEqual(ends, [])
    })
  })
}
