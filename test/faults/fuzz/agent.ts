import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import { textFrame, writeHeader } from '../../../apm-agent/frames.ts'
import {
  allocate,
  field,
  HEADER_BYTES,
  RECORD_BYTES,
  recordKinds,
  SAMPLED,
} from '../../../apm-agent/protocol.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { permissionFlags } from '../../../stack/permissions.ts'
import { pulseOf } from '../../pulses.ts'
import { ask, describe, readAll } from './answers.ts'
import { Draw } from './draw.ts'
import type { Request } from './requests.ts'

const AGENT = join(import.meta.dirname, '../../../apm-agent')
/** Number of requests at a time. */
const BATCH = 50
/** Connections to the socket at a time; apm-agent takes 64. */
const CONNECTIONS = 32
/** A line that Prometheus can read. It reads no others. */
const EXPOSITION = /^(#.*|[a-zA-Z_:][\w:]*(\{.*\})? \S+)?$/

const hello = (instance: string) =>
  textFrame('hello', JSON.stringify({ resource: { 'service.instance.id': instance }, timeOriginMs: 1 }))
const strings = textFrame('strings', JSON.stringify({ firstId: 1, strings: ['/demo', 'a:1', '__proto__'] }))
const points = textFrame(
  'points',
  JSON.stringify([{ metric: 'app.pool.tasks', value: 3, attributes: { 'app.pool.name': 'compute' } }]),
  2,
)
const pulse = textFrame('pulse', JSON.stringify(pulseOf(3)))
const frames = [strings, record(4), points, pulse, textFrame('ack', '', 1), textFrame('refused', 'no', 3)]

/** Sends frames and random bytes to the socket for records. @returns the number of connections */
export async function fuzzRecords(directory: string, inputs: number, seed: number): Promise<number> {
  await using agent = await startAgent(directory)
  const draw = new Draw(seed)
  const app = connect(agent.socket)
  app.write(Buffer.concat([hello('kept'), strings]))
  let sent = 0
  for (; sent < inputs; sent += CONNECTIONS)
    await Promise.all(
      Array.from({ length: CONNECTIONS }, () => readAll(connect(agent.socket).end(drawFrames(draw)))),
    )
  app.write(record(1))
  assert.deepEqual((await once(app, 'data'))[0], textFrame('ack', '', 1), 'a right record is not taken')
  app.destroy()
  await agent.stillServes()
  return sent
}

function drawFrames(draw: Draw): Buffer {
  if (draw.chance(0.1)) return draw.bytes(200)
  const whole = Buffer.concat([hello('fuzzed'), ...draw.times(5, () => draw.pick(frames))])
  return draw.chance(0.1) ? whole : draw.mutate(draw.chance(0.2) ? pulse : whole)
}

/** One record of a sampled request. */
function record(sequence: number): Buffer {
  const memory = allocate(HEADER_BYTES + RECORD_BYTES)
  writeHeader(memory, 'records', RECORD_BYTES, sequence)
  const at = (offset: number) => (HEADER_BYTES + offset) / 2
  memory.uint16[at(field.kind)] = recordKinds.server
  memory.uint16[at(field.flags)] = SAMPLED
  memory.uint16[at(field.name)] = 1
  return memory.bytes
}

/** Sends OTLP, reports and random requests to apm-agent over HTTP. @returns the number of requests */
export async function fuzzAgentHttp(directory: string, inputs: number, seed: number): Promise<number> {
  await using agent = await startAgent(directory)
  const draw = new Draw(seed)
  let sent = 0
  for (; sent < inputs; sent += BATCH) {
    const requests = Array.from({ length: BATCH }, () => drawRequest(draw))
    await Promise.all(
      requests.map(async request => {
        const { status } = await ask(agent.url, request)
        assert.ok(status < 500, `${status} to ${describe(request)}`)
      }),
    )
    await watch(agent.url, draw)
  }
  await agent.stillServes()
  return sent
}

const otlp = protobuf.parse(readFileSync(join(AGENT, 'otlp.proto'), 'utf8')).root
const attributes = [{ key: 'service.instance.id', value: { stringValue: 'one' } }]
const dataPoints = [{ asDouble: 3, attributes }]
const measured = [
  { name: 'a', gauge: { dataPoints } },
  {
    name: 'http.server.request.duration',
    unit: 's',
    histogram: {
      dataPoints: [{ ...dataPoints[0], count: 3, sum: 1, bucketCounts: [1, 2], explicitBounds: [0.1] }],
      aggregationTemporality: 2,
    },
  },
]
const metrics = encode('ExportMetricsServiceRequest', {
  resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics: measured }] }],
})
const sentSpans = [Buffer.from('span'), Buffer.alloc(0)]
const traces = encode('ExportTraceServiceRequest', {
  resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: sentSpans }] }],
})
const report = Buffer.from('{"latencies":[[10,50],[20,49]]}')

function encode(name: string, message: object): Buffer {
  const type = otlp.lookupType(name)
  return Buffer.from(type.encode(type.fromObject(message)).finish())
}

const bodies: readonly { readonly path: string; readonly type: string; readonly body: Buffer }[] = [
  { path: '/v1/metrics', type: 'application/x-protobuf', body: metrics },
  { path: '/v1/metrics', type: 'application/x-protobuf', body: metrics },
  { path: '/v1/traces', type: 'application/x-protobuf', body: traces },
  { path: '/live/load', type: 'application/json', body: report },
]

function drawRequest(draw: Draw): Request {
  if (draw.chance(0.2)) {
    const path = draw.pick(['/metrics', '/healthz', '/usage', '/', '/assets/../main.ts', `/${draw.text(20)}`])
    return requestOf(draw.pick(['GET', 'HEAD', 'POST', 'DELETE']), path)
  }
  const { path, type, body } = draw.pick(bodies)
  const mutated = draw.chance(0.1) ? draw.bytes(300) : draw.mutate(body)
  const headers = [`content-type: ${type}`]
  if (draw.chance(0.8)) return requestOf('POST', path, headers, mutated)
  const zipped = gzipSync(mutated)
  const content = draw.chance(0.5) ? draw.mutate(zipped) : zipped
  return requestOf('POST', path, [...headers, 'content-encoding: gzip'], content)
}

function requestOf(
  method: string,
  path: string,
  headers: readonly string[] = [],
  body: Buffer = Buffer.alloc(0),
): Request {
  const framing = body.length > 0 ? [`content-length: ${body.length}`] : []
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, ...framing]
  return { method, bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]) }
}

/** Reads the live page's events from a random point on, and disconnects. */
async function watch(url: string, draw: Draw): Promise<void> {
  const after = draw.pick(['0', '-1', '1e999', 'NaN', '9'.repeat(40), '%00', draw.text(9, 0x30, 0x5a)])
  const left = new AbortController()
  const response = await fetch(`${url}/events?after=${after}`, { signal: left.signal })
  assert.equal(response.status, 200)
  left.abort()
}

/** Starts apm-agent as the stack does. */
async function startAgent(directory: string) {
  const apmSocket = join(directory, 'run', 'agent.sock')
  const agent = await startProcess({
    name: 'apm-agent',
    file: join(AGENT, 'main.ts'),
    flags: ['--port=0', `--apm-socket=${apmSocket}`],
    nodeFlags: permissionFlags('apm-agent', { apmSocket }),
    echo: false,
  })
  const url = agent.addresses.http as string
  return {
    url,
    socket: apmSocket,
    async stillServes() {
      assert.equal((await fetch(url)).status, 200)
      const exposed = await (await fetch(`${url}/metrics`)).text()
      for (const line of exposed.split('\n')) assert.match(line, EXPOSITION)
      assert.match(exposed, /^apm_agent_connections /m)
    },
    [Symbol.asyncDispose]: async () => void (await agent.stop()),
  }
}
