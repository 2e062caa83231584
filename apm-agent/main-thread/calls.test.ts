import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInstrumented } from './instrumented.fixture.ts'

/** A server that answers with the raw trace headers that it got, and a proxy that forwards the headers of its requests. */
const SERVERS = `
  import { createServer, request as httpRequest } from 'node:http'
  import { once } from 'node:events'
  import { json } from 'node:stream/consumers'
  import { request as undiciRequest } from 'undici'
  const TRACED = ['traceparent', 'tracestate', 'baggage']
  const upstream = createServer(({ rawHeaders }, response) => {
    const pairs = rawHeaders.flatMap((name, at) => at % 2 ? [] : [[name.toLowerCase(), rawHeaders[at + 1]]])
    response.end(JSON.stringify(pairs.filter(([name]) => TRACED.includes(name)).sort()))
  }).listen(0, '127.0.0.1')
  const urlOf = server => 'http://127.0.0.1:' + server.address().port
  const callers = {
    fetch: async headers => (await fetch(urlOf(upstream), { headers })).json(),
    undici: async headers => (await undiciRequest(urlOf(upstream), { headers })).body.json(),
    'undici with a list': async headers =>
      (await undiciRequest(urlOf(upstream), { headers: Object.entries(headers).flatMap(([name, value]) => [name.toUpperCase(), value]) })).body.json(),
    'undici with pairs': async headers => (await undiciRequest(urlOf(upstream), { headers: new Map(Object.entries(headers)) })).body.json(),
    'node:http': async headers => {
      const [response] = await once(httpRequest(urlOf(upstream), { headers }).end(), 'response')
      return json(response)
    },
  }
  const proxy = createServer(async ({ url, headers: { host, connection, ...headers } }, response) =>
    response.end(JSON.stringify(await callers[decodeURIComponent(url.slice(1))](headers)))).listen(0, '127.0.0.1')
  await Promise.all([upstream, proxy].map(server => once(server, 'listening')))`

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'

test('a call that forwards the headers of its request has each trace header once, and the context of its own span', async t => {
  const { stdout, stderr, spans } = await runInstrumented(
    t,
    `${SERVERS}
    const headers = { host: 'localhost', traceparent: '00-${TRACE_ID}-b7ad6b7169203331-01', tracestate: 'v=1', baggage: 'a=1' }
    for (const name of Object.keys(callers)) {
      const got = httpRequest(urlOf(proxy) + '/' + encodeURIComponent(name), { headers: Object.entries(headers).flat() }).end()
      const [response] = await once(got, 'response')
      console.log(JSON.stringify([name, await json(response)]))
    }
    for (const server of [upstream, proxy]) server.close()`,
  )
  assert.equal(stderr, '')
  const answers = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    answers.map(([name]) => name),
    ['fetch', 'undici', 'undici with a list', 'undici with pairs', 'node:http'],
  )
  for (const [name, [baggage, traceparent, tracestate, ...others]] of answers) {
    assert.deepEqual([baggage, tracestate, others], [['baggage', 'a=1'], ['tracestate', 'v=1'], []], name)
    const [, traceId, spanId] = traceparent[1].split('-')
    const caller = spans.find(span => span.spanContext().spanId === spanId)
    assert.deepEqual(
      [traceId, caller?.name, caller?.spanContext().traceId],
      [TRACE_ID, 'GET', TRACE_ID],
      name,
    )
  }
})
