import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { AppConfig } from '../app/config.ts'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { createOrdersServer } from '../orders/server.ts'
import { until } from './faults/fault.ts'
import type { ReceivedSpan } from './otlp-receiver.ts'
import { startTracedApp } from './traced-app.ts'

/** The trace contexts of three requests. */
const [ofHead, ofGet, ofLeaving] = ['a', 'b', 'c'].map(
  digit => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`,
) as [string, string, string]
/** Of the request, of the page, and of both calls. */
const SPANS_OF_PAGE = 4

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

const untilEmitted = (app: Awaited<ReturnType<typeof startTracedApp>>, spans: number) =>
  until(async () => ((await app.readCounts()).spans?.emitted ?? 0) >= spans)

const outcomesOf = (spans: readonly ReceivedSpan[]) =>
  spans
    .filter(({ kind }) => kind === 'CLIENT')
    .map(({ attributes }) => attributes['error.type'] ?? attributes['http.response.status_code'])

test('a call that is not answered in the time of its page ends with the page, and has a span, a log line and a metric', async t => {
  // Long enough for the first page of a new process, whose code V8 has not compiled yet.
  const { upstream, app } = await startHolding(t, {
    partTimeoutMs: 4000,
    ordersTimeoutMs: 60_000,
    requestTimeoutMs: 120_000,
  })
  const ended = once(upstream, 'held').then(([response]) => once(response, 'close'))
  assert.equal(await app.ask('/page', { 'x-request-id': 'abc-1' }), 200)
  await ended
  await untilEmitted(app, SPANS_OF_PAGE)
  const { spans, counts, metrics, lines } = await app.finish()
  assert.deepEqual(counts.spans, { emitted: SPANS_OF_PAGE, dropped: 0 })
  assert.deepEqual(outcomesOf(spans).sort(), [200, 'UPSTREAM_TIMEOUT'])
  const [line, ...others] = lines.filter(({ message }) => message === 'a page part failed')
  assert.deepEqual([line?.requestId, line?.code, others], ['abc-1', 'UPSTREAM_TIMEOUT', []])
  const fallbacks = metrics.find(({ descriptor }) => descriptor.name === 'app.page.fallbacks')
  assert.deepEqual(
    fallbacks?.dataPoints.map(({ value, attributes }) => [value, attributes['app.part.name']]),
    [[1, 'recommendations']],
  )
})

test('a call whose client has left has a span, and a page is in its own trace, also beside a HEAD request that was answered before', async t => {
  const { upstream, held, app } = await startHolding(t, patience)

  const isLeft = once(upstream, 'held')
  const leaving = new AbortController()
  const options = { signal: leaving.signal, headers: { traceparent: ofLeaving } }
  const left = assert.rejects(fetch(`${app.url}/page`, options).then(page => page.text()))
  await isLeft
  leaving.abort()
  await left
  await untilEmitted(app, SPANS_OF_PAGE)

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
  // The other call may have been answered by then.
  assert.ok(outcomesOf(traceOf(ofLeaving)).includes('CLIENT_GONE'))
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
