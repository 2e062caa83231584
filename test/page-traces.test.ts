import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { AppConfig } from '../app/config.ts'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { createOrdersServer } from '../orders/server.ts'
import { startTracedApp } from './traced-app.ts'

/** The trace contexts of two requests. */
const [ofHead, ofGet] = ['a', 'b'].map(digit => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`) as [
  string,
  string,
]

/** Starts an app whose upstream holds every call for recommendations until the test answers it. */
async function startHolding(t: TestContext, options: Partial<AppConfig>) {
  const orders = createOrdersServer({})
  const held: (() => void)[] = []
  const upstream = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = () => orders.emit('request', request, response)
    if (request.url?.startsWith('/recommendations')) {
      held.push(answer)
      upstream.emit('held', response)
    } else answer()
  })
  const { apm, ...composition } = lastStep.composition
  const app = await startTracedApp(t, apm, upstream, { composition, ...options })
  return { upstream, held, app }
}

/** Waits until a span of the request, of the page and of both calls have ended. @returns the outcome of each call */
async function finishPage(app: Awaited<ReturnType<typeof startTracedApp>>) {
  while (((await app.readCounts()).spans?.emitted ?? 0) < 4) await delay(20)
  const { spans, counts } = await app.finish()
  assert.deepEqual(counts.spans, { emitted: 4, dropped: 0 })
  const calls = spans.filter(({ kind }) => kind === 'CLIENT')
  return calls.map(({ attributes }) => attributes['error.type'] ?? attributes['http.response.status_code'])
}

test('a call that is not answered in the time of its page ends with the page, and has a span', async t => {
  // Long enough for the first page of a new process, whose code V8 has not compiled yet.
  const { upstream, app } = await startHolding(t, {
    partTimeoutMs: 4000,
    ordersTimeoutMs: 60_000,
    requestTimeoutMs: 120_000,
  })
  const ended = once(upstream, 'held').then(([response]) => once(response, 'close'))
  assert.equal(await app.ask('/page'), 200)
  await ended
  assert.deepEqual((await finishPage(app)).sort(), [200, 'UPSTREAM_TIMEOUT'])
})

test('a call that ends because its client has left has a span', async t => {
  const { upstream, app } = await startHolding(t, patience)
  const isHeld = once(upstream, 'held')
  const leaving = new AbortController()
  const left = assert.rejects(fetch(`${app.url}/page`, { signal: leaving.signal }).then(page => page.text()))
  await isHeld
  leaving.abort()
  await left
  // The other call may have been answered by then.
  assert.ok((await finishPage(app)).includes('CLIENT_GONE'))
})

test('the rendering of a page is in its own trace, also beside a HEAD request that was answered before', async t => {
  const { upstream, held, app } = await startHolding(t, patience)

  const isHeld = once(upstream, 'held')
  const head = await fetch(`${app.url}/page`, { method: 'HEAD', headers: { traceparent: ofHead } })
  assert.equal(head.status, 200)
  await isHeld
  const areHeld = once(upstream, 'held')
  const page = await fetch(`${app.url}/page`, { headers: { traceparent: ofGet } })
  await areHeld
  for (const answer of held) answer()
  assert.match(await page.text(), /<\/html>$/)
  const { spans, counts } = await app.finish()

  const traceOf = (traceparent: string) => spans.filter(({ traceId }) => traceparent.includes(traceId))
  const rendered = traceOf(ofGet).filter(({ kind }) => kind === 'INTERNAL')
  assert.deepEqual(
    rendered.map(({ name }) => name),
    ['render page'],
  )
  for (const { kind, parentSpanId, traceId } of spans) {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId)
    if (kind !== 'SERVER') assert.deepEqual([parent?.kind, parent?.traceId], ['SERVER', traceId])
  }
  const calls = [...traceOf(ofHead), ...traceOf(ofGet)].filter(({ kind }) => kind === 'CLIENT')
  assert.equal(calls.length, 4, 'each request has fetched orders and recommendations')
  assert.deepEqual(counts.spans, { emitted: spans.length, dropped: 0 })
})
