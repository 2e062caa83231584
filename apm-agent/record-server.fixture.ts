import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { SpanExport } from './app-instance.ts'
import { AgentCounts } from './counts.ts'
import { FrameReader, textFrame, textOf, writeHeader } from './frames.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { readPulse } from './live/live.ts'
import { allocate, field, frameKinds, HEADER_BYTES, RECORD_BYTES, recordKinds, SAMPLED } from './protocol.ts'
import { createRecordServer } from './record-server.ts'
import { Reporters } from './reporters.ts'
import { describeSpan } from './span.ts'

/** The first frame of an app. */
export const hello = (instance = 'one') =>
  textFrame('hello', JSON.stringify({ resource: { 'service.instance.id': instance }, timeOriginMs: 0 }))
export const strings = textFrame('strings', JSON.stringify({ firstId: 1, strings: ['/demo'] }))

/** Records of sampled requests to `/demo` that took 7 ms each. */
export function records(count: number, sequence: number): Buffer {
  const memory = allocate(HEADER_BYTES + count * RECORD_BYTES)
  writeHeader(memory, 'records', count * RECORD_BYTES, sequence)
  for (let at = HEADER_BYTES; at < memory.bytes.length; at += RECORD_BYTES) {
    memory.uint16[(at + field.kind) / 2] = recordKinds.server
    memory.uint16[(at + field.flags) / 2] = SAMPLED
    memory.uint16[(at + field.name) / 2] = 1
    memory.uint16[(at + field.status) / 2] = 200
    memory.float64[(at + field.durationMs) / 8] = 7
  }
  return memory.bytes
}

/** Starts a server on a socket of its own, which apps can `open`. */
export async function startRecordServer(t: TestContext, take?: SpanExport['take']) {
  const directory = mkdtempSync(join(tmpdir(), 'records-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'agent.sock')
  const counts = new AgentCounts()
  const reporters = new Reporters()
  const server = createRecordServer({
    counts,
    reporters,
    spans: take && { describe: describeSpan, take },
    takePulse: readPulse,
  })
  await listenOnSocket(server, path)
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const disconnected = new Promise<void>(resolve => {
    server.on('connection', socket => socket.once('close', () => setImmediate(resolve)))
  })
  return {
    path,
    server,
    counts,
    reporters,
    closed: () => disconnected,
    async open() {
      const socket = connect(path)
      sockets.push(socket)
      await once(socket, 'connect')
      return asApp(socket)
    },
    /** The route and the number of requests of each instance. */
    durations: () =>
      reporters.collect().flatMap(({ scopeMetrics }) => {
        const [metric] = scopeMetrics[0]?.metrics ?? []
        return (metric?.dataPoints ?? []).map(({ attributes, value }) => [
          attributes['http.route'],
          (value as { count: number }).count,
        ])
      }),
  }
}

function asApp(socket: Socket) {
  const reader = new FrameReader()
  const answers: { readonly kind: number; readonly sequence: number; readonly text: string }[] = []
  socket.on('error', () => {})
  socket.on('data', chunk =>
    reader.read(chunk as Buffer, frame =>
      answers.push({ kind: frame.kind, sequence: frame.sequence, text: textOf(frame) }),
    ),
  )
  const next = async (kind: keyof typeof frameKinds) => {
    while (answers.length === 0) await once(socket, 'data')
    const answer = answers.shift() as (typeof answers)[number]
    assert.equal(answer.kind, frameKinds[kind])
    return answer
  }
  return {
    socket,
    write: (bytes: Uint8Array) => socket.write(bytes),
    ack: async () => (await next('ack')).sequence,
    received: async () => (await next('received')).sequence,
    refusal: async () => (await next('refused')).text,
  }
}
