import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import express from 'express'
import fastify from 'fastify'

// A service that knows nothing of this project: Fastify in front, Express behind, spans of its own.
const tracer = trace.getTracer('plain-service')

const stock = express()
stock.get('/stock/:id', (request, response) => {
  response.json({ ...request.params, traceId: activeTraceId() })
})
const stockServer = stock.listen(0, '127.0.0.1')
const stockUrl = () => `http://127.0.0.1:${(stockServer.address() as AddressInfo).port}`

const app = fastify()
app.get('/orders/:id', () =>
  tracer.startActiveSpan('load', { attributes: { 'db.system.name': 'postgresql' } }, async span => {
    const fetched = await (await fetch(`${stockUrl()}/stock/1`)).json()
    const got = await new Promise(resolve => get(`${stockUrl()}/stock/2`, answer => resolve(json(answer))))
    span.end()
    return { traceId: activeTraceId(), fetched, got }
  }),
)
app.post('/orders', async ({ body }) => ({ body, traceId: activeTraceId() }))
app.get('/late', async () => {
  const ofRequest = context.active()
  setTimeout(() => tracer.startSpan('late', {}, ofRequest).end(), 50)
  return { traceId: activeTraceId() }
})
app.get('/broken', async () => {
  const span = tracer.startSpan('failing')
  const error = new TypeError('broken')
  span.recordException(error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
  throw error
})
app.get('/end', async () => {
  setTimeout(() => {
    void app.close()
    stockServer.close()
  }, 100)
})

process.stderr.write(`listens on ${await app.listen({ port: 0 })}\n`)

function activeTraceId() {
  return trace.getActiveSpan()?.spanContext().traceId
}
