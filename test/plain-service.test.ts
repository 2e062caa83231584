import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { startProcess } from '../lib/processes/start-process.ts'
import { until } from './faults/fault.ts'
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'
import { launchCommand } from './run-command.ts'

interface Answer {
  readonly traceId: string
  readonly fetched?: unknown
  readonly got?: unknown
}

const directory = mkdtempSync(join(tmpdir(), 'plain-service-'))
const apmSocket = join(directory, 'run/agent.sock')
const register = join(import.meta.dirname, '../apm-agent/main-thread/register.ts')

describe('a service that is started with --import apm-agent/register', () => {
  let spans: readonly ReceivedSpan[] = []
  let service: ReturnType<typeof launchCommand>
  let url: string
  const closing: (() => unknown)[] = []
  before(async () => {
    const receiver = await startOtlpReceiver({ after: close => void closing.push(close as () => void) })
    spans = receiver.spans
    const file = join(import.meta.dirname, '../apm-agent/main.ts')
    const flags = toFlags({ port: 0, apmSocket, collectorUrl: receiver.url })
    const agent = await startProcess({ name: 'apm-agent', file, flags, echo: true })
    closing.unshift(() => agent.stop())
    const env = { DMT_APM_SOCKET: apmSocket, OTEL_SERVICE_NAME: 'shop' }
    service = launchCommand('--import', [register, 'test/plain-service.ts'], { env })
    closing.unshift(() => service.child.kill('SIGKILL'))
    url = (await service.line(/^listens on /)).slice('listens on '.length)
  })
  after(async () => {
    for (const close of closing) await close()
    rmSync(directory, { recursive: true })
  })

  const ask = async (path: string) => (await fetch(url + path)).json() as Promise<Answer>
  const named = (traceId: string, name: string) =>
    spans.filter(span => span.traceId === traceId && span.name === name)
  const oneOf = async (traceId: string, name: string) => {
    await until(() => named(traceId, name).length > 0)
    return named(traceId, name)[0] as ReceivedSpan
  }

  test('has spans with the routes of Fastify and Express, and of its own code, in one trace', async () => {
    const { traceId, fetched, got } = await ask('/orders/7')
    assert.deepEqual(
      [fetched, got],
      [
        { id: '1', traceId },
        { id: '2', traceId },
      ],
    )
    const server = await oneOf(traceId, 'GET /orders/:id')
    const own = await oneOf(traceId, 'load')
    assert.deepEqual(
      [own.kind, own.parentSpanId, own.attributes],
      ['INTERNAL', server.spanId, { 'db.system.name': 'postgresql' }],
    )
    assert.deepEqual([server.kind, server.parentSpanId], ['SERVER', ''])
    assert.equal(server.resource['service.name'], 'shop')
    await until(() => named(traceId, 'GET /stock/:id').length === 2)
    const calls = named(traceId, 'GET')
    assert.deepEqual(
      calls.map(({ kind, parentSpanId }) => [kind, parentSpanId]),
      Array(2).fill(['CLIENT', own.spanId]),
    )
    assert.deepEqual(
      named(traceId, 'GET /stock/:id')
        .map(({ parentSpanId }) => parentSpanId)
        .sort(),
      calls.map(({ spanId }) => spanId).sort(),
    )
    for (const { attributes } of calls) assert.equal(attributes['http.response.status_code'], 200)
  })

  test('knows the request after its body has come late, in pieces', async () => {
    const answer = await new Promise<unknown>(resolve => {
      const headers = { 'content-type': 'application/json' }
      const call = request(`${url}/orders`, { method: 'POST', headers }, answer => resolve(json(answer)))
      call.write('{"a":')
      setTimeout(() => call.end('1}'), 50)
    })
    const { body, traceId, fields } = answer as { body: unknown; traceId: string; fields: unknown }
    assert.deepEqual(body, { a: 1 })
    const { spanId } = await oneOf(traceId, 'POST /orders')
    assert.deepEqual(fields, { trace_id: traceId, span_id: spanId, trace_flags: '01' })
  })

  test('continues the trace of a request in a span that begins after the answer', async () => {
    const { traceId } = await ask('/late')
    const server = await oneOf(traceId, 'GET /late')
    assert.equal((await oneOf(traceId, 'late')).parentSpanId, server.spanId)
  })

  test('has failed spans for what fails, and no route for what is not there', async () => {
    assert.equal((await fetch(`${url}/broken`)).status, 500)
    assert.equal((await fetch(`${url}/nowhere/7`)).status, 404)
    await until(() => spans.some(({ name }) => name === 'failing'))
    const failing = spans.find(({ name }) => name === 'failing') as ReceivedSpan
    assert.deepEqual([failing.status.code, failing.attributes], ['ERROR', { 'error.type': 'TypeError' }])
    const broken = await oneOf(failing.traceId, 'GET /broken')
    assert.equal(broken.status.code, 'ERROR')
    await until(() => spans.some(({ attributes }) => attributes['http.response.status_code'] === 404))
    const absent = spans.find(({ attributes }) => attributes['http.response.status_code'] === 404)
    assert.equal(absent?.attributes['http.route'], undefined)
  })

  test('ends by itself once its servers are closed, and its last span arrives', async () => {
    await ask('/end').catch(() => {})
    assert.deepEqual(await service.ended, [0, null])
    await until(() => spans.some(({ name }) => name === 'GET /end'))
  })
})
