import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { lastStep } from '../app/steps.ts'
import { createOrdersServer } from '../orders/server.ts'
import { patience } from './patience.ts'
import { startTracedApp } from './traced-app.ts'

/** The trace contexts of two requests. */
const [ofHead, ofGet] = ['a', 'b'].map(digit => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`) as [
  string,
  string,
]

test('the rendering of a page is in its own trace, also beside a HEAD request that was answered before', async t => {
  const orders = createOrdersServer({})
  const held: (() => void)[] = []
  const upstream = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = () => orders.emit('request', request, response)
    if (request.url?.startsWith('/recommendations')) {
      held.push(answer)
      upstream.emit('held')
    } else answer()
  })
  const { apm, ...composition } = lastStep.composition
  const app = await startTracedApp(t, apm, upstream, { composition, threads: 1, ...patience })

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
