import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { TakeSpans } from './app-instance.ts'
import { AgentCounts } from './counts.ts'
import { FrameReader, textFrame, textOf, writeHeader } from './frames.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { Live } from './live/live.ts'
import { allocate, field, frameKinds, HEADER_BYTES, RECORD_BYTES, recordKinds, SAMPLED } from './protocol.ts'
import { createRecordServer } from './record-server.ts'
import { Reporters } from './reporters.ts'

const hello = (instance = 'one', receivedBefore = 0) =>
  textFrame(
    'hello',
    JSON.stringify({ resource: { 'service.instance.id': instance }, timeOriginMs: 0, receivedBefore }),
  )
const points = (sequence: number) =>
  textFrame('points', JSON.stringify([{ metric: 'app.pool.size', value: 4 }]), sequence)
const strings = textFrame('strings', JSON.stringify({ firstId: 1, strings: ['/demo'] }))

/** Records of sampled requests to `/demo` that took 7 ms each. */
function records(count: number, sequence: number): Buffer {
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

describe('the socket for records', () => {
  test('accepts records however their bytes are cut, and acknowledges each frame', async t => {
    const { open, counts, durations } = await start(t)
    const app = await open()
    const bytes = Buffer.concat([hello(), strings, records(3, 1), records(2, 2)])
    for (let from = 0; from < bytes.length; from += 7) app.write(bytes.subarray(from, from + 7))
    assert.deepEqual([await app.ack(), await app.ack()], [1, 2])
    assert.deepEqual([counts.records, counts.spans.records], [5, 5])
    assert.deepEqual(durations(), [['/demo', 5]])
  })

  test('counts a frame once when it comes again over a new connection', async t => {
    const { open, counts, durations } = await start(t)
    const first = await open()
    first.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await first.ack()
    first.socket.destroy()
    const second = await open()
    second.write(Buffer.concat([hello(), strings, records(3, 1), records(1, 2)]))
    assert.deepEqual([await second.ack(), await second.ack()], [1, 2])
    assert.deepEqual([counts.records, counts.repeatedFrames], [4, 1])
    assert.deepEqual(durations(), [['/demo', 4]])
  })

  test('acknowledges frames in their order, once their spans are exported', async t => {
    const settles: (() => void)[] = []
    const { open, counts } = await start(t, (_spans, settle) => settles.push(settle))
    const app = await open()
    app.write(Buffer.concat([hello(), strings, records(3, 1), records(2, 2), points(3)]))
    assert.deepEqual([await app.received(), await app.received(), await app.received()], [1, 2, 3])
    assert.equal(counts.spans.records, 5, 'they are counted when they arrive')
    settles[1]?.()
    settles[0]?.()
    assert.equal(await app.ack(), 3, 'the second frame and the points had to wait for the first')
  })

  test('acknowledges over the next connection what was exported after the first one broke', async t => {
    const settles: (() => void)[] = []
    const { open, counts } = await start(t, (_spans, settle) => settles.push(settle))
    const first = await open()
    first.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await first.received()
    first.socket.destroy()
    const second = await open()
    second.write(Buffer.concat([hello('one', 1), strings, records(3, 1)]))
    assert.equal(await second.received(), 1)
    settles[0]?.()
    assert.equal(await second.ack(), 1)
    assert.deepEqual(
      [settles.length, counts.spans.records, counts.resentSpans],
      [1, 3, 0],
      'it took them once',
    )
  })

  test('counts spans that an earlier apm-agent had received', async t => {
    const { open, counts, durations } = await start(t)
    const app = await open()
    app.write(Buffer.concat([hello('one', 6), strings, records(3, 6), records(2, 7)]))
    assert.deepEqual([await app.ack(), await app.ack()], [6, 7])
    assert.deepEqual([counts.spans.records, counts.resentSpans], [5, 3])
    assert.deepEqual(durations(), [['/demo', 5]], 'the earlier one has taken its metrics with it')
  })

  test('still acknowledges exported frames when it reads no more, and closes the connection then', async t => {
    const settles: (() => void)[] = []
    const { open, server } = await start(t, (_spans, settle) => settles.push(settle))
    const app = await open()
    app.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await app.received()
    server.stopReading()
    settles[0]?.()
    server.close()
    assert.equal(await app.ack(), 1)
    await once(app.socket, 'close')
  })

  test('tells instances apart', async t => {
    const { open, durations } = await start(t)
    for (const instance of ['one', 'two']) {
      const app = await open()
      app.write(Buffer.concat([hello(instance), strings, records(instance.length, 1)]))
      await app.ack()
    }
    assert.deepEqual(durations(), [
      ['/demo', 3],
      ['/demo', 3],
    ])
  })

  const unknown = textFrame('records', '', 1)
  unknown.writeUInt32LE(99, 4)
  const newer = hello()
  newer[0] = 200
  const huge = hello()
  huge.writeUInt32LE(2 ** 31, 8)
  for (const [what, reason, says, ...frames] of [
    ['HTTP', 'garbage', /not the protocol/, Buffer.from('GET / HTTP/1.1\r\nHost: here\r\n\r\n')],
    ['random bytes', 'garbage', /not the protocol/, Buffer.alloc(4096, 0xa5)],
    ['a newer version', 'version', /version 200 .* version 5 .* same release/, newer],
    ['a payload beyond the bound', 'size', /2147483648 bytes/, huge],
    ['records before hello', 'garbage', /begins with one hello/, records(1, 1)],
    ['an unknown kind', 'garbage', /kind 99/, hello(), unknown],
    ['hello that is no JSON', 'content', /no JSON/, textFrame('hello', '{"resource":')],
    ['hello without a resource', 'content', /resource/, textFrame('hello', '{"timeOriginMs":0}')],
    [
      'strings that are numbers',
      'content',
      /strings/,
      hello(),
      textFrame('strings', '{"firstId":1,"strings":[1]}'),
    ],
    ['points that are no list', 'content', /list/, hello(), textFrame('points', '{}', 1)],
    [
      'points whose metric is no text',
      'content',
      /metrics with a value/,
      hello(),
      textFrame('points', '[{"metric":["app.pool.size"],"value":1}]', 1),
    ],
    ['a pulse that is none', 'content', /no pulse/, textFrame('pulse', '{"app":{}}')],
    ['a second hello', 'garbage', /one hello/, hello(), hello()],
  ] as const) {
    test(`refuses ${what}, gives the reason, counts it, and continues to serve others`, async t => {
      const { open, counts } = await start(t)
      const good = await open()
      good.write(hello())
      const bad = await open()
      bad.write(Buffer.concat(frames))
      assert.match(await bad.refusal(), says)
      await once(bad.socket, 'close')
      assert.equal(counts.decodeErrors[reason], 1)
      good.write(records(1, 1))
      assert.equal(await good.ack(), 1)
    })
  }

  test('refuses an app with the identity of a process that reports otherwise', async t => {
    const { open, reporters, closed } = await start(t)
    const resource = resourceFromAttributes({ 'service.instance.id': 'one' })
    reporters.find(resource.attributes, () => ({ resource, describe: () => [] }))
    const app = await open()
    app.write(hello())
    assert.match(await app.refusal(), /too many apps/)
    app.socket.destroy()
    await closed()
  })

  test('counts half a frame when its sender is gone', async t => {
    const { open, counts, closed } = await start(t)
    const app = await open()
    app.write(Buffer.concat([hello(), records(4, 1).subarray(0, 100)]))
    app.socket.end()
    await closed()
    assert.deepEqual([counts.records, counts.decodeErrors.partial, counts.connections], [0, 1, 0])
  })

  test('ignores and counts invalid records', async t => {
    const { open, counts } = await start(t)
    const app = await open()
    const frame = allocate(HEADER_BYTES + 3 * RECORD_BYTES)
    frame.bytes.set(records(3, 1))
    frame.float64[(HEADER_BYTES + field.durationMs) / 8] = Number.NaN
    frame.uint16[(HEADER_BYTES + RECORD_BYTES + field.kind) / 2] = 77
    app.write(Buffer.concat([hello(), strings, frame.bytes]))
    await app.ack()
    assert.deepEqual([counts.records, counts.decodeErrors.content], [1, 2])
  })

  test('keeps the number of series within a bound under a flood of made-up values', async t => {
    const { open, reporters } = await start(t)
    const app = await open()
    app.write(hello())
    for (let sequence = 1; sequence <= 10; sequence++) {
      const frame = allocate(HEADER_BYTES + 500 * RECORD_BYTES)
      frame.bytes.set(records(500, sequence))
      for (let index = 0; index < 500; index++)
        frame.uint16[(HEADER_BYTES + index * RECORD_BYTES + field.errorType) / 2] = sequence * 500 + index
      app.write(frame.bytes)
      await app.ack()
    }
    const [collected] = reporters.collect()
    const series = collected?.scopeMetrics[0]?.metrics[0]?.dataPoints ?? []
    assert.equal(series.length, 2001)
    assert.equal(series.filter(({ attributes }) => attributes['otel.metric.overflow']).length, 1)
  })
})

async function start(t: TestContext, takeSpans?: TakeSpans) {
  const directory = mkdtempSync(join(tmpdir(), 'records-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'agent.sock')
  const counts = new AgentCounts()
  const reporters = new Reporters()
  const live = new Live({
    note: '',
    readDelivered: () => ({ spans: 0, metricPoints: 0, transportedLines: null }),
  })
  t.after(() => live.close())
  const server = createRecordServer({ counts, reporters, takeSpans, live })
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
  const next = async () => {
    while (answers.length === 0) await once(socket, 'data')
    return answers.shift() as (typeof answers)[number]
  }
  return {
    socket,
    write: (bytes: Uint8Array) => socket.write(bytes),
    async ack() {
      const { kind, sequence } = await next()
      assert.equal(kind, frameKinds.ack)
      return sequence
    },
    async received() {
      const { kind, sequence } = await next()
      assert.equal(kind, frameKinds.received)
      return sequence
    },
    async refusal() {
      const { kind, text } = await next()
      assert.equal(kind, frameKinds.refused)
      return text
    },
  }
}
