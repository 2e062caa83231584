import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { runInstrumented } from '../apm-agent/main-thread/instrumented.fixture.ts'

/**
 * A service that knows nothing of this project but the fields for its log lines: Fastify in front, Express behind, spans of its own.
 * It asks itself, writes the answers to stdout, and ends by itself once its servers are closed.
 */
const PROGRAM = `
  import { get, request } from 'node:http'
  import { json } from 'node:stream/consumers'
  import { context, SpanStatusCode, trace } from '@opentelemetry/api'
  import { suppressTracing } from '@opentelemetry/core'
  import express from 'express'
  import fastify from 'fastify'
  import { traceFields } from './index.ts'
  const tracer = trace.getTracer('plain-service')
  const traceId = () => trace.getActiveSpan()?.spanContext().traceId
  const stock = express()
  stock.get('/stock/:id', (request, response) => void response.json({ ...request.params, traceId: traceId() }))
  const stockServer = stock.listen(0, '127.0.0.1')
  const stockUrl = () => 'http://127.0.0.1:' + stockServer.address().port
  const app = fastify()
  app.get('/orders/:id', () =>
    tracer.startActiveSpan('load', { attributes: { 'db.system.name': 'postgresql' } }, async span => {
      const fetched = await (await fetch(stockUrl() + '/stock/1')).json()
      const got = await new Promise(resolve => get(stockUrl() + '/stock/2', answer => resolve(json(answer))))
      span.end()
      return { traceId: traceId(), fetched, got }
    }))
  app.post('/orders', async ({ body }) => ({ body, traceId: traceId(), fields: traceFields() }))
  app.get('/late', async () => {
    const ofRequest = context.active()
    setTimeout(() => tracer.startSpan('late', {}, ofRequest).end(), 50)
    return { traceId: traceId() }
  })
  app.get('/broken', async () => {
    const span = tracer.startSpan('failing')
    const error = new TypeError('broken')
    span.recordException(error)
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    throw error
  })
  const url = await app.listen({ port: 0 })
  await context.with(suppressTracing(context.active()), async () => {
    const ask = async path => (await fetch(url + path)).json()
    const headers = { 'content-type': 'application/json' }
    const posted = new Promise(resolve => {
      const call = request(url + '/orders', { method: 'POST', headers }, answer => resolve(json(answer)))
      call.write('{"a":')
      setTimeout(() => call.end('1}'), 50)
    })
    const answers = [await ask('/orders/7'), await posted, await ask('/late')]
    for (const path of ['/broken', '/nowhere/7']) await ask(path)
    console.log(JSON.stringify(answers))
  })
  setTimeout(() => {
    app.close()
    stockServer.close()
    stockServer.closeAllConnections()
  }, 100)`

const idOf = (span: ReadableSpan) => span.spanContext().spanId
const parentOf = ({ parentSpanContext }: ReadableSpan) => parentSpanContext?.spanId

describe('a service that is started with --import apm-agent/register', () => {
  test('has spans with the routes of Fastify and Express, and of its own code, each in the trace of its request', async t => {
    const { stdout, spans } = await runInstrumented(t, PROGRAM)
    const [order, posted, late] = JSON.parse(stdout)
    const named = (name: string, traceId?: string) =>
      spans.filter(span => span.name === name && (!traceId || span.spanContext().traceId === traceId))
    const oneOf = (name: string, traceId?: string) => {
      const [span, ...others] = named(name, traceId)
      assert.ok(span && others.length === 0, name)
      return span
    }
    const traceId = order.traceId
    assert.deepEqual(
      [order.fetched, order.got],
      [
        { id: '1', traceId },
        { id: '2', traceId },
      ],
    )
    const server = oneOf('GET /orders/:id', traceId)
    const own = oneOf('load', traceId)
    assert.deepEqual([server.kind, parentOf(server)], [SpanKind.SERVER, undefined])
    assert.deepEqual([own.kind, parentOf(own)], [SpanKind.INTERNAL, idOf(server)])
    assert.deepEqual(own.attributes, { 'db.system.name': 'postgresql' })
    const calls = named('GET', traceId)
    for (const call of calls)
      assert.deepEqual(
        [call.kind, parentOf(call), call.attributes['http.response.status_code']],
        [SpanKind.CLIENT, idOf(own), 200],
      )
    assert.equal(calls.length, 2)
    assert.deepEqual(named('GET /stock/:id', traceId).map(parentOf).sort(), calls.map(idOf).sort())

    await t.test('knows the request after its body has come late, in pieces', () => {
      const span = oneOf('POST /orders')
      const fields = { trace_id: posted.traceId, span_id: idOf(span), trace_flags: '01' }
      assert.deepEqual([posted.body, posted.fields], [{ a: 1 }, fields])
    })

    await t.test('continues the trace of a request in a span that begins after the answer', () =>
      assert.equal(parentOf(oneOf('late', late.traceId)), idOf(oneOf('GET /late'))),
    )

    await t.test('has failed spans for what fails, and no route for what is not there', () => {
      const failing = oneOf('failing')
      assert.equal(failing.status.code, SpanStatusCode.ERROR)
      assert.deepEqual(failing.attributes, { 'error.type': 'TypeError' })
      assert.equal(oneOf('GET /broken').status.code, SpanStatusCode.ERROR)
      const absent = spans.find(({ attributes }) => attributes['http.response.status_code'] === 404)
      assert.ok(absent && absent.attributes['http.route'] === undefined)
    })
  })
})
