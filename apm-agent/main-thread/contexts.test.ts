import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { runInstrumented } from './instrumented.fixture.ts'

const USERS = 200

const traceIdOf = (user: number) => String(user + 1).padStart(32, '0')

/**
 * Users who share a few connections send a request each, with a trace and a body of their own. Each request makes calls over
 * shared connections. What its listeners see as the active trace goes to stdout.
 */
const PROGRAM = `
  import { context, trace } from '@opentelemetry/api'
  import { suppressTracing } from '@opentelemetry/core'
  import { Agent, createServer, get, request } from 'node:http'
  import { once } from 'node:events'
  import { setTimeout as delay } from 'node:timers/promises'
  import { text } from 'node:stream/consumers'
  const urlOf = server => 'http://127.0.0.1:' + server.address().port
  const traceId = () => trace.getActiveSpan()?.spanContext().traceId
  const upstream = createServer((request, response) => setTimeout(() => response.end(request.headers.traceparent), Math.random() * 5)).listen(0, '127.0.0.1')
  const toUpstream = new Agent({ keepAlive: true, maxSockets: 4 })
  const callByHttp = () => new Promise(resolve => get(urlOf(upstream), { agent: toUpstream }, response => {
    let body = ''
    response.setEncoding('utf8').on('data', chunk => { body += chunk }).on('end', () => resolve([body.slice(3, 35), traceId()]))
  }))
  const seen = Array.from({ length: ${USERS} }, () => ({}))
  const server = createServer((request, response) => {
    const mine = seen[request.headers['x-user']]
    for (const event of ['data', 'end', 'close']) request.on(event, () => { mine['request ' + event] = traceId() })
    for (const event of ['finish', 'close']) response.on(event, () => { mine['response ' + event] = traceId() })
    request.on('end', () => trace.getTracer('shop').startActiveSpan('load', async span => {
      mine.fetched = (await (await fetch(urlOf(upstream))).text()).slice(3, 35)
      const [called, after] = await callByHttp()
      Object.assign(mine, { called, after, own: traceId() })
      span.end()
      response.end()
    }))
  }).listen(0, '127.0.0.1')
  await Promise.all([upstream, server].map(each => once(each, 'listening')))
  const agent = new Agent({ keepAlive: true, maxSockets: 10 })
  const ask = async user => {
    const headers = { 'x-user': user, traceparent: '00-' + String(user + 1).padStart(32, '0') + '-b7ad6b7169203331-01' }
    const call = request(urlOf(server), { method: 'POST', agent, headers })
    call.write('first')
    await delay(Math.random() * 10)
    call.end('last')
    const [response] = await once(call, 'response')
    await text(response)
  }
  await context.with(suppressTracing(context.active()), () => Promise.all(seen.map((_, user) => ask(user))))
  console.log(JSON.stringify(seen))
  for (const each of [agent, toUpstream]) each.destroy()
  for (const each of [server, upstream]) each.close()`

test(`${USERS} users have a trace each, in all listeners of their requests and in all their calls`, async t => {
  const { stdout, stderr, spans } = await runInstrumented(t, PROGRAM)
  assert.equal(stderr, '')
  const seen = JSON.parse(stdout) as Record<string, string>[]
  assert.equal(seen.length, USERS)
  for (const [user, places] of seen.entries()) {
    assert.equal(Object.keys(places).length, 9)
    for (const [place, traceId] of Object.entries(places)) assert.equal(traceId, traceIdOf(user), place)
  }
  const byTrace = Map.groupBy(spans, span => span.spanContext().traceId)
  for (let user = 0; user < USERS; user++) {
    const own = byTrace.get(traceIdOf(user)) ?? []
    assert.deepEqual(describeSpans(own), [
      'CLIENT GET in load',
      'CLIENT GET in load',
      'INTERNAL load in POST',
      'SERVER GET in GET',
      'SERVER GET in GET',
      'SERVER POST',
    ])
  }
})

/** The kind and name of each span, with the name of its parent. */
const describeSpans = (spans: readonly ReadableSpan[]) =>
  spans
    .map(({ kind, name, parentSpanContext }) => {
      const parent = spans.find(each => each.spanContext().spanId === parentSpanContext?.spanId)
      return `${SpanKind[kind]} ${name}${parent ? ` in ${parent.name}` : ''}`
    })
    .sort()
