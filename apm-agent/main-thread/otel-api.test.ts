import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInstrumented } from './instrumented.fixture.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const HEADERS = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`, tracestate: 'v=1', baggage: 'a=1' }

const print = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

test('a message of a queue carries the context of its sender, and its receiver goes on in that trace', async t => {
  const { stdout, stderr, spans } = await runInstrumented(
    t,
    `import { context, propagation, trace } from '@opentelemetry/api'
    const tracer = trace.getTracer('shop')
    const print = value => console.log(JSON.stringify(value))
    tracer.startActiveSpan('send', span => {
      const carrier = {}
      propagation.inject(context.active(), carrier)
      print([carrier, span.spanContext()])
      span.end()
    })
    const received = propagation.extract(context.active(), ${JSON.stringify(HEADERS)})
    tracer.startActiveSpan('receive', {}, received, span => {
      const carrier = {}
      propagation.inject(context.active(), carrier)
      print([carrier, propagation.getActiveBaggage().getEntry('a').value])
      span.end()
    })
    print([propagation.fields()])`,
  )
  assert.equal(stderr, '')
  const [[sent, { traceId, spanId }], [received, value], [fields]] = print(stdout)
  assert.deepEqual(sent, { traceparent: `00-${traceId}-${spanId}-01` })
  const span = spans.find(({ name }) => name === 'receive')
  assert.deepEqual(
    [span?.spanContext().traceId, span?.parentSpanContext?.spanId, value],
    [TRACE_ID, SPAN_ID, '1'],
  )
  assert.deepEqual(received, { ...HEADERS, traceparent: `00-${TRACE_ID}-${span?.spanContext().spanId}-01` })
  assert.deepEqual(fields, ['traceparent', 'tracestate', 'baggage'])
})

test('a request shows its baggage and trace state, and its calls pass them on, also those within own spans', async t => {
  const { stdout, stderr } = await runInstrumented(
    t,
    `import { context, propagation, trace } from '@opentelemetry/api'
    import { createServer } from 'node:http'
    import { once } from 'node:events'
    const urlOf = server => 'http://127.0.0.1:' + server.address().port
    const upstream = createServer(({ headers: { traceparent, tracestate, baggage } }, response) =>
      response.end(JSON.stringify({ traceparent, tracestate, baggage }))).listen(0, '127.0.0.1')
    const call = async () => (await fetch(urlOf(upstream))).json()
    const server = createServer(async (request, response) => {
      const seen = [propagation.getActiveBaggage()?.getAllEntries(), trace.getActiveSpan().spanContext().traceState?.serialize()]
      const plain = await call()
      const own = await trace.getTracer('shop').startActiveSpan('load', call)
      const more = propagation.setBaggage(context.active(), propagation.getActiveBaggage().setEntry('b', { value: 'ü,' }))
      const added = await context.with(more, call)
      const none = await context.with(propagation.deleteBaggage(context.active()), call)
      response.end(JSON.stringify([seen, plain, own, added, none]))
    }).listen(0, '127.0.0.1')
    await Promise.all([once(server, 'listening'), once(upstream, 'listening')])
    console.log(await (await fetch(urlOf(server), { headers: ${JSON.stringify(HEADERS)} })).text())
    for (const each of [server, upstream]) each.close()`,
  )
  assert.equal(stderr, '')
  const [[seen, ...calls]] = print(stdout)
  // The client of this process, which is instrumented too, has begun a trace of its own.
  assert.deepEqual(seen, [[['a', { value: '1' }]], 'v=1'])
  assert.deepEqual(
    calls.map(({ tracestate, baggage }: typeof HEADERS) => [tracestate, baggage]),
    [
      ['v=1', 'a=1'],
      ['v=1', 'a=1'],
      ['v=1', 'a=1,b=%C3%BC%2C'],
      ['v=1', undefined],
    ],
  )
  assert.equal(new Set(calls.map(({ traceparent }: typeof HEADERS) => traceparent.slice(3, 35))).size, 1)
})

test('calls and spans for which tracing is suppressed are not recorded, and pass no context on', async t => {
  const { stdout, stderr, spans } = await runInstrumented(
    t,
    `import { context, trace, ROOT_CONTEXT } from '@opentelemetry/api'
    import { suppressTracing, unsuppressTracing } from '@opentelemetry/core'
    import { createServer, get } from 'node:http'
    import { once } from 'node:events'
    import { text } from 'node:stream/consumers'
    const { promise: listening, resolve } = Promise.withResolvers()
    const server = createServer((request, response) => response.end(request.headers.traceparent ? 'traced' : 'untraced'))
      .listen(0, '127.0.0.1', resolve)
    await listening
    const url = 'http://127.0.0.1:' + server.address().port
    const tracer = trace.getTracer('shop')
    const calls = {
      fetch: async () => (await fetch(url)).text(),
      'node:http': () => new Promise(resolve => get(url, { agent: false }, response => resolve(text(response)))),
      'within an own span': () => tracer.startActiveSpan('own', span => fetch(url).then(response => (span.end(), response.text()))),
      'allowed again': () => context.with(unsuppressTracing(context.active()), () => fetch(url).then(response => response.text())),
    }
    const suppressed = suppressTracing(ROOT_CONTEXT)
    for (const [name, call] of Object.entries(calls)) console.log(name, await context.with(suppressed, call))
    const given = [tracer.startSpan('given', {}, suppressed), tracer.startActiveSpan('given', {}, suppressed, span => span)]
    console.log(given.map(span => span.isRecording()).join())
    for (const span of given) span.end()
    server.close()`,
  )
  assert.equal(stderr, '')
  assert.deepEqual(stdout.trim().split('\n'), [
    'fetch untraced',
    'node:http untraced',
    'within an own span untraced',
    'allowed again traced',
    'false,false',
  ])
  assert.deepEqual(
    spans.filter(({ kind }) => kind !== 1).map(({ name }) => name),
    ['GET'],
    'the call that was allowed again',
  )
})
