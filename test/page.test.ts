import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { misbehaving } from '../app/concerns/rendering/renderer.fixture.ts'
import { namesOf } from '../app/concerns.ts'
import { lastStep } from '../app/steps.ts'
import { selectOrders } from '../orders/catalogue.ts'
import { OrderList } from '../orders/messages.ts'
import type { Order } from '../orders/order.ts'
import { readUntil, startPageApp, type Upstream } from './page-app.ts'

/** The last order on the page of seed 1. The page sorts by day. */
const LAST_CARD = lastCardOf(1)
const orderFallback = /Some orders are not available at the moment/
const recommendationsFallback = /Recommendations are not available at the moment/
const never = new Promise<never>(() => {})
/** Short, because some parts never come. All other parts must come within this time. */
const PART_TIMEOUT_MS = 2000

/** An upstream that answers requests for one path only after `open` is called. */
function holding(path: string) {
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
  const upstream: Upstream = async asked => (asked.startsWith(path) ? opened : undefined)
  return { upstream, open: () => open(undefined) }
}

const refusing =
  (path: string, answer: Buffer | number | Promise<never>): Upstream =>
  async asked =>
    asked.startsWith(path) ? answer : undefined

const { rendering: lastRendering } = lastStep.composition
const [mainThread, ...inThreads] = namesOf('upstream')
/** The data can be fetched elsewhere only where rendering has threads. */
const pairs = [
  ...namesOf('rendering').map(rendering => ({ rendering, fetching: mainThread })),
  ...inThreads.map(fetching => ({ rendering: lastRendering, fetching })),
]

for (const by of pairs) {
  describe(`a page by rendering/${by.rendering} and upstream/${by.fetching}`, () => {
    test('arrives part by part: head and order list while recommendations are awaited', async t => {
      const { upstream, open } = holding('/recommendations')
      const { ask } = await startPageApp(t, { upstream, ...by })
      const chunks = (await ask('/page'))[Symbol.asyncIterator]()
      const begun = await readUntil(chunks, LAST_CARD)
      assert.match(begun, /^<!DOCTYPE html><html lang="en"/)
      assert.doesNotMatch(begun, /<ul class="recommendations">/)
      open()
      const rest = await readUntil(chunks, '</html>')
      assert.match(rest, /<ul class="recommendations">/)
    })

    test('shows a fallback when upstream data is missing, with the reason in log and telemetry', async t => {
      const upstream = refusing('/recommendations', 500)
      const { ask, logged, readPoints } = await startPageApp(t, { upstream, ...by })
      const response = await ask('/page', { 'x-request-id': 'abc-1' })
      assert.equal(response.statusCode, 200)
      const html = await text(response)
      assert.match(html, recommendationsFallback)
      assert.match(html, new RegExp(LAST_CARD))
      const [line] = logged
      assert.equal(logged.length, 1)
      assert.equal(line?.message, 'a page part failed')
      assert.equal(line?.requestId, 'abc-1')
      assert.equal(line?.code, 'UPSTREAM_FAILED')
      const points = (await readPoints()).filter(({ metric }) => metric === 'app.page.fallbacks')
      assert.deepEqual(points, [
        {
          metric: 'app.page.fallbacks',
          value: 1,
          attributes: { 'app.part.name': 'recommendations', 'error.type': 'UPSTREAM_FAILED' },
        },
      ])
    })

    test('shows a fallback for a late part', async t => {
      const { ask, service } = await startPageApp(t, {
        upstream: refusing('/recommendations', never),
        ...by,
        partTimeoutMs: PART_TIMEOUT_MS,
      })
      const html = await text(await ask('/page'))
      assert.match(html, recommendationsFallback)
      await service.idle()
    })

    test('shows a fallback for the part that throws, with the component in the log', async t => {
      const [bad, ...others] = selectOrders(200, 'mixed', 1) as [Order, ...Order[]]
      const broken = { ...bad, details: { ...bad.details, placedAt: 'soon' } }
      const data = Buffer.from(OrderList.encode({ orders: [broken, ...others] }).finish())
      const { ask, logged } = await startPageApp(t, { upstream: refusing('/orders', data), ...by })
      const html = await text(await ask('/page'))
      assert.match(html, orderFallback)
      assert.equal(html.match(/class="order"/g)?.length, 125, 'all orders but those of one part')
      assert.match(String(logged[0]?.cause), /at OrderCard/)
    })

    for (const [what, answer, status, code] of [
      ['fails', 500, 502, 'UPSTREAM_FAILED'],
      ['answers garbage', Buffer.from('garbage'), 502, 'UPSTREAM_FAILED'],
      ['answers too little', Buffer.alloc(0), 502, 'UPSTREAM_FAILED'],
      ['hangs', never, 504, 'UPSTREAM_TIMEOUT'],
    ] as const) {
      test(`is refused when the upstream ${what}: ${status}`, async t => {
        const { ask, logged, service } = await startPageApp(t, {
          upstream: refusing('/orders', answer),
          ...by,
          partTimeoutMs: PART_TIMEOUT_MS,
        })
        const response = await ask('/page')
        assert.equal(response.statusCode, status)
        assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
        assert.equal(JSON.parse(await text(response)).code, code)
        assert.equal(logged.length, 1)
        await service.idle()
      })
    }

    for (const [encoding, decompress, finishFlush] of [
      ['br', brotliDecompressSync, constants.BROTLI_OPERATION_FLUSH],
      ['gzip', gunzipSync, constants.Z_SYNC_FLUSH],
    ] as const) {
      test(`is compressed as ${encoding}, and arrives part by part all the same`, async t => {
        const { upstream, open } = holding('/recommendations')
        const { ask } = await startPageApp(t, { upstream, ...by })
        const response = await ask('/page', { 'accept-encoding': encoding })
        assert.equal(response.headers['content-encoding'], encoding)
        const decode = (bytes: Buffer) => String(decompress(bytes, { finishFlush }))
        const chunks = response[Symbol.asyncIterator]()
        const begun = await readUntil(chunks, LAST_CARD, decode)
        assert.doesNotMatch(begun, /<ul class="recommendations">/)
        open()
        for await (const _ of { [Symbol.asyncIterator]: () => chunks });
      })
    }
  })
}

describe('a page by threads', () => {
  for (const [what, seed] of Object.entries(misbehaving)) {
    test(`shows a fallback for the part that ${what}, and other pages are whole`, async t => {
      const { ask, logged } = await startPageApp(t)
      const asked = [seed, 1, 2, 3].map(async each => text(await ask(`/page?seed=${each}`)))
      const pages = await Promise.all(asked)
      const fallbacks = pages.map(html => orderFallback.test(html))
      assert.deepEqual(fallbacks, [true, false, false, false])
      assert.equal(logged.length, 1)
    })
  }
})

describe('the encoding of a page', () => {
  const cases = [
    [undefined, undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['nonsense', undefined],
    ['*', 'br'],
  ] as const
  for (const [accepted, encoding] of cases) {
    test(`is ${encoding ?? 'none'} if the client accepts ${accepted ?? 'nothing'}`, async t => {
      const { ask } = await startPageApp(t)
      const response: IncomingMessage = await ask(
        '/page?orders=1',
        accepted ? { 'accept-encoding': accepted } : {},
      )
      assert.equal(response.headers['content-encoding'], encoding)
      assert.equal(response.headers.vary, 'accept-encoding')
      await response.resume().toArray()
    })
  }
})

function lastCardOf(seed: number): string {
  const byDay = selectOrders(200, 'mixed', seed).toSorted((a, b) =>
    (a.details?.placedAt ?? '') < (b.details?.placedAt ?? '') ? -1 : 1,
  )
  return `data-id="${byDay[0]?.id}"`
}
