import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInstrumented } from './instrumented.fixture.ts'

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
