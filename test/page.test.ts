import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { isRightPage } from '../loadtest/generator/expected-page.ts'
import { scenarios } from '../loadtest/generator/scenarios.ts'
import { selectOrders } from '../orders/catalogue.ts'
import { readUntil, sharePageApp, startPageApp, type Upstream } from './page-app.ts'

/** The last order on the page of seed 1. The page sorts by day. */
const LAST_CARD = lastCardOf(1)
const MIB = 2 ** 20
/** So many large pages on one connection are more than the kernel buffers between two sockets. */
const LARGE_PAGES = 8
const recommendationsList = /<ul class="recommendations">/
const never = new Promise<never>(() => {})
/** Short, because some data never comes. All other data must come within this time. */
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

// The contract suite of rendering tests the same of every implementation. Much of the time a page waits, and each suite has apps of
// its own.
describe('a page', { concurrency: 2 }, () => {
  for (const fetching of namesOf('upstream')) {
    describe(`whose data upstream/${fetching} fetches`, { concurrency: 1 }, () => {
      const start = sharePageApp({ fetching })
      const startImpatient = sharePageApp({ fetching, partTimeoutMs: PART_TIMEOUT_MS })
      test('is what the load test expects, also if recommendations come late', async () => {
        const { upstream, open } = holding('/recommendations')
        const { ask } = start(upstream)
        const right = scenarios.page.body(1)
        const late = ask('/page?seed=1')
        await late
        open()
        for (const response of [late, ask('/page?seed=1')]) {
          const page = await text(await response)
          assert.ok(isRightPage(page, right))
          assert.ok(!isRightPage(page.replace('Order 1', 'Order 2'), right))
          assert.ok(!isRightPage(page.replace('</ul>', ''), right))
        }
      })

      test('allows the scripts with its own nonce, and no other script in the page', async () => {
        const { ask } = start()
        const nonces = await Promise.all(
          [1, 2].map(async () => {
            const response = await ask('/page')
            const [, nonce] =
              / 'nonce-([\w-]+)'/.exec(String(response.headers['content-security-policy'])) ?? []
            assert.match(
              await text(response),
              new RegExp(`<script type="module" src="/assets/[^"]*" nonce="${nonce}"`),
            )
            assert.doesNotMatch(String(response.headers['content-security-policy']), /unsafe/)
            return nonce
          }),
        )
        assert.equal(new Set(nonces).size, 2)
      })

      test('is sent while recommendations are awaited, with what will be in their place', async () => {
        const { upstream, open } = holding('/recommendations')
        const { ask } = start(upstream)
        const chunks = (await ask('/page'))[Symbol.asyncIterator]()
        const begun = await readUntil(chunks, '</footer>')
        assert.match(begun, /^<!DOCTYPE html><html lang="en"/)
        assert.match(begun, new RegExp(LAST_CARD))
        assert.match(begun, /Recommendations are not here yet/)
        assert.doesNotMatch(begun, recommendationsList)
        open()
        const rest = await readUntil(chunks, '</html>')
        assert.match(rest, recommendationsList)
      })

      test('does without recommendations that fail, with the reason in log and telemetry', async () => {
        const { ask, logged, readPoints } = start(refusing('/recommendations', 500))
        const response = await ask('/page', { 'x-request-id': 'abc-1' })
        assert.equal(response.statusCode, 200)
        const html = await text(response)
        assert.match(html, /Recommendations are not available at the moment/)
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

      for (const [what, answer, status, code] of [
        ['fails', 500, 502, 'UPSTREAM_FAILED'],
        ['answers garbage', Buffer.from('garbage'), 502, 'UPSTREAM_FAILED'],
        ['answers too little', Buffer.alloc(0), 502, 'UPSTREAM_FAILED'],
        ['hangs', never, 504, 'UPSTREAM_TIMEOUT'],
      ] as const) {
        test(`is refused when the upstream ${what}: ${status}`, async () => {
          const { ask, logged, service } = (answer === never ? startImpatient : start)(
            refusing('/orders', answer),
          )
          const response = await ask('/page')
          assert.equal(response.statusCode, status)
          assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
          assert.equal(JSON.parse(await text(response)).code, code)
          assert.equal(logged.length, 1)
          await service.running.idle()
        })
      }
    })
  }
})

test('slow clients hold only their own pages, and above the limit further requests are refused', async t => {
  const app = await startPageApp(t, { pageMemoryMib: 2 })
  const slow: Socket[] = []
  let refused = await app.ask('/page?orders=0')
  while (refused.statusCode === 200) {
    await refused.resume().toArray()
    slow.push(readNothing(t, app.url))
    assert.ok(slow.length < 100, 'there is a bound')
    refused = await app.ask('/page?orders=0')
  }
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(JSON.parse(await text(refused)).code, 'OVERLOADED')
  const heldMib = (await app.readHeldBytes()) / MIB
  // The bound is exceeded by one page at most, because a page counts from its admission on.
  assert.ok(heldMib < 2 + 1.5, `${heldMib} MiB of ${slow.length} clients`)
  assert.equal((await app.ask('/healthz')).statusCode, 200)

  for (const socket of slow) socket.destroy()
  await app.service.running.idle()
  // Parts run first in, first out: when this page is complete, no part of the clients that left is still running.
  assert.match(await text(await app.ask('/page')), /<\/html>$/)
  await app.service.running.idle()
  assert.equal(await app.readHeldBytes(), 0)
})

/** A client that requests large pages and reads nothing. */
function readNothing(t: TestContext, url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  socket.pause().write('GET /page?orders=2000 HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(LARGE_PAGES))
  return socket
}

function lastCardOf(seed: number): string {
  const byDay = selectOrders(200, 'mixed', seed).toSorted((a, b) =>
    (a.details?.placedAt ?? '') < (b.details?.placedAt ?? '') ? -1 : 1,
  )
  return `data-id="${byDay[0]?.id}"`
}
