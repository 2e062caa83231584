import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { startOnce } from '../app/test-options.fixture.ts'
import { isRightPage } from '../loadtest/generator/expected-page.ts'
import { scenarios } from '../loadtest/generator/scenarios.ts'
import { createOrdersServer } from '../orders/server.ts'
import { until } from './faults/fault.ts'
import { startSite } from './site.ts'

/** So many large pages on one connection are more than the kernel buffers between two sockets. */
const LARGE_PAGES = 8
/** Short, because some data never comes. All other data must come within this time. */
const PART_TIMEOUT_MS = 2000
const PROBLEM = 'application/problem+json; charset=utf-8'
const never = new Promise<never>(() => {})

/** Decides when the upstream answers a path, and whether it fails then. */
type Upstream = (path: string) => Promise<'fails' | undefined>

const asUsual: Upstream = async () => undefined

// The contract suite of rendering tests the content of a page, by every implementation.
describe('a page', () => {
  let answer = asUsual
  const orders = createOrdersServer({})
  const createUpstream = () =>
    createServer(async (request, response) => {
      if ((await answer(request.url as string)) === 'fails') response.writeHead(500).end()
      else orders.emit('request', request, response)
    })
  const site = startOnce(suite => startSite(suite, { upstream: createUpstream(), threads: 1 }))
  const impatient = startOnce(suite =>
    startSite(suite, {
      upstream: createUpstream(),
      threads: 1,
      partTimeoutMs: PART_TIMEOUT_MS,
      ordersTimeoutMs: PART_TIMEOUT_MS,
    }),
  )
  const ask = (path: string, upstream = asUsual, { url } = site()) => {
    answer = upstream
    return fetch(url + path)
  }
  /** An upstream that answers requests for recommendations only after `open` is called. */
  function holding() {
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
    const upstream: Upstream = async asked => (asked.startsWith('/recommendations') ? opened : undefined)
    return { upstream, open: () => open(undefined) }
  }

  test('is what the load test expects, also if recommendations come late', async () => {
    const { upstream, open } = holding()
    const right = scenarios.page.body(1)
    const late = await ask('/page?seed=1', upstream)
    open()
    for (const response of [late, await ask('/page?seed=1')]) {
      const page = await response.text()
      assert.ok(isRightPage(page, right))
      assert.ok(!isRightPage(page.replace('Order 1', 'Order 2'), right))
      assert.ok(!isRightPage(page.replace('</ul>', ''), right))
    }
  })

  test('allows the scripts with its own nonce, and no other script in the page', async () => {
    const nonces = new Set<string>()
    for (const response of [await ask('/page'), await ask('/page')]) {
      const policy = String(response.headers.get('content-security-policy'))
      const [, nonce = ''] = / 'nonce-([\w-]+)'/.exec(policy) ?? []
      const script = new RegExp(`<script type="module" src="/assets/[^"]*" nonce="${nonce}"`)
      assert.match(await response.text(), script)
      assert.doesNotMatch(policy, /unsafe/)
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 2)
  })

  test('is sent while recommendations are awaited, with what will be in their place', async () => {
    const { upstream, open } = holding()
    const { body } = await ask('/page', upstream)
    let page = ''
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      page += Buffer.from(chunk).toString()
      if (!page.includes('</footer>') || page.includes('<ul class="recommendations"')) continue
      assert.match(
        page,
        /^<!DOCTYPE html><html lang="en".*<li class="order".*Recommendations are not here yet/s,
      )
      open()
    }
    assert.match(page, /<ul class="recommendations">.*<\/html>$/s)
  })

  for (const [what, outcome, status, code] of [
    ['fails', 'fails', 502, 'UPSTREAM_FAILED'],
    ['hangs', never, 504, 'UPSTREAM_TIMEOUT'],
  ] as const)
    test(`is refused when the upstream ${what}: ${status}`, async () => {
      const upstream: Upstream = async asked => (asked.startsWith('/orders') ? outcome : undefined)
      const response = await ask('/page', upstream, outcome === never ? impatient() : site())
      assert.deepEqual([response.status, response.headers.get('content-type')], [status, PROBLEM])
      assert.equal(((await response.json()) as { code: string }).code, code)
    })
})

test('slow clients hold only their own pages, and above the limit further requests are refused', async t => {
  const { url } = await startSite(t, { threads: 1, pageMemoryMib: 2 })
  const slow: Socket[] = []
  const askSmall = () => fetch(`${url}/page?orders=0`)
  let refused = await askSmall()
  for (; refused.status === 200; refused = await askSmall()) {
    await refused.text()
    slow.push(readNothing(t, url))
    assert.ok(slow.length < 20, 'there is a bound')
  }
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.equal(((await refused.json()) as { code: string }).code, 'OVERLOADED')
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  for (const socket of slow) socket.destroy()
  await until(async () => /<\/html>$/.test(await (await askSmall()).text()))
})

/** A client that requests large pages and reads nothing. */
function readNothing(t: TestContext, url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  socket.pause().write('GET /page?orders=2000 HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(LARGE_PAGES))
  return socket
}
