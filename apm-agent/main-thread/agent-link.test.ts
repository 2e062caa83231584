import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { type Frame, FrameReader, textFrame } from '../frames.ts'
import { frameKinds, HEADER_BYTES, RECORD_BYTES } from '../protocol.ts'
import { AgentLink } from './agent-link.ts'
import { BATCH_BYTES, type Batch } from './batch.ts'
import { Strings } from './strings.ts'

/** Number of records in a full batch. */
const FULL = (BATCH_BYTES - HEADER_BYTES) / RECORD_BYTES

describe('the link to apm-agent', () => {
  test('sends hello, the strings and the records, and reuses its memory after the acknowledgement', async t => {
    const { link, strings, agent } = start(t, 1)
    strings.id('/demo')
    await agent.listen()
    link.send(fill(link))
    assert.equal(link.take(), undefined, 'there is room for one batch')
    assert.deepEqual(await agent.frames(3), ['hello', 'strings', 'records 1'])
    agent.ack(1)
    await agent.idle(link)
    assert.ok(link.take())
  })

  test('waits for an agent that is absent at the start', async t => {
    const { link, agent } = start(t, 2)
    link.send(fill(link))
    link.sendPoints([{ metric: 'app.pool.size', value: 1 }])
    const lost = { droppedSpans: 5, metricPoints: { emitted: 1, dropped: 1 } }
    assert.deepEqual(link.counts(), lost, 'were it to end now')
    await agent.listen()
    assert.deepEqual(await agent.frames(3), ['hello', 'records 1', 'points 2'])
    agent.ack(2)
    await agent.idle(link)
    assert.deepEqual(link.counts(), { droppedSpans: 0, metricPoints: { emitted: 1, dropped: 0 } })
  })

  test('finds the agent by a relative path after the service has changed its directory', async t => {
    const directory = process.cwd()
    t.after(() => process.chdir(directory))
    const { link, agent } = start(t, 3, { spell: path => relative(directory, path) })
    process.chdir(import.meta.dirname)
    await agent.listen()
    link.send(fill(link))
    assert.deepEqual(await agent.frames(2), ['hello', 'records 1'])
  })

  test('sends unacknowledged frames again over a new connection, with all strings', async t => {
    const { link, strings, agent } = start(t, 3)
    strings.id('/demo')
    await agent.listen()
    link.send(fill(link))
    link.send(fill(link))
    assert.deepEqual(await agent.frames(4), ['hello', 'strings', 'records 1', 'records 2'])
    agent.ack(1)
    agent.disconnect()
    strings.id('/hello')
    assert.deepEqual(await agent.frames(3), ['hello', 'strings', 'records 2'])
  })

  test('divides points among frames that apm-agent takes, and drops one that no frame holds', async t => {
    const { link, agent } = start(t, 40)
    await agent.listen()
    const point = (chars: number) => ({ metric: 'a', value: 1, attributes: { name: 'x'.repeat(chars) } })
    link.sendPoints([...Array.from({ length: 4 }, () => point(50_000)), point(200_000)])
    assert.deepEqual(await agent.frames(4), ['hello', 'points 1', 'points 2', 'points 3'])
    assert.deepEqual(link.counts().metricPoints, { emitted: 5, dropped: 5 }, 'were it to end now')
    agent.ack(3)
    while (link.counts().metricPoints.dropped !== 1) await turn()
  })

  test('drops points beyond its memory, and counts them', async t => {
    const { link } = start(t, 1)
    link.send(fill(link))
    link.sendPoints([{ metric: 'app.pool.size', value: 1 }])
    assert.deepEqual(link.counts().metricPoints, { emitted: 1, dropped: 1 })
    await link.close()
    assert.deepEqual(link.counts(), { droppedSpans: 5, metricPoints: { emitted: 1, dropped: 1 } })
  })

  test('takes further records while apm-agent holds those that it has received, as during an absence of its collector', async t => {
    const { link, agent } = start(t, 2)
    await agent.listen()
    link.send(fill(link, FULL))
    link.send(fill(link, FULL))
    assert.deepEqual(await agent.frames(3), ['hello', 'records 1', 'records 2'])
    assert.equal(link.take(), undefined)
    agent.received(1)
    await agent.dropped(link, FULL)
    assert.ok(link.take(), 'the first frame gave its memory up')
    assert.equal(link.counts().droppedSpans, FULL, 'apm-agent has the first frame, so it is not lost')
    agent.disconnect()
    assert.deepEqual(await agent.frames(2), ['hello', 'records 2'])
    assert.equal(link.counts().droppedSpans, 2 * FULL, 'it may be lost')
    agent.received(2)
    await agent.dropped(link, FULL)
    agent.disconnect()
    assert.deepEqual(await agent.frames(2), ['hello', 'records 2'], 'until it is acknowledged')
  })

  test('goes on trying when it is refused', async t => {
    const { link, agent } = start(t, 1)
    await agent.listen()
    await agent.frames(1)
    agent.refuse('not today')
    assert.deepEqual(await agent.frames(1), ['hello'])
    link.send(fill(link))
    assert.deepEqual(await agent.frames(1), ['records 1'])
  })
})

function fill(link: AgentLink, records = 5): Batch {
  const batch = link.take() as Batch
  batch.records = records
  batch.spans = records
  return batch
}

/** @param room the number of batches that fit in memory */
function start(t: TestContext, room: number, { closeLimitMs = 10, spell = (path: string) => path } = {}) {
  const path = join(temporaryDirectory(t), 'agent.sock')
  const strings = new Strings()
  const sender = { resource: {}, timeOriginMs: 0 }
  const memoryBytes = room * BATCH_BYTES
  const link = new AgentLink({ path: spell(path), sender, strings, memoryBytes, closeLimitMs })
  const agent = fakeAgent(path)
  t.after(async () => {
    agent.stop()
    await link.close()
  })
  return { link, strings, agent }
}

/** An apm-agent that reads frames and answers as the test demands. */
function fakeAgent(path: string) {
  const seen: string[] = []
  let socket: Socket | undefined
  const server: Server = createServer(connection => {
    socket = connection
    const reader = new FrameReader()
    connection.on('error', () => {})
    connection.on('data', chunk => {
      reader.read(chunk as Buffer, frame => seen.push(describeFrame(frame)))
      server.emit('frames')
    })
  })
  return {
    async listen() {
      server.listen(path)
      await once(server, 'listening')
    },
    /** Waits for the next frames. */
    async frames(count: number) {
      while (seen.length < count) await once(server, 'frames')
      return seen.splice(0, count)
    },
    ack: (sequence: number) => socket?.write(textFrame('ack', '', sequence)),
    received: (sequence: number) => socket?.write(textFrame('received', '', sequence)),
    refuse: (reason: string) => socket?.end(textFrame('refused', reason)),
    disconnect: () => socket?.end(),
    /** Resolves when the link has received its acknowledgements. */
    idle(link: AgentLink) {
      return this.dropped(link, 0)
    },
    /** Resolves when the link would lose this number of spans if apm-agent got nothing more. */
    async dropped(link: AgentLink, spans: number) {
      while (link.counts().droppedSpans !== spans) await new Promise(resolve => setImmediate(resolve))
    },
    stop() {
      socket?.destroy()
      server.close()
    },
  }
}

function describeFrame({ kind, sequence }: Frame): string {
  const [name] = Object.entries(frameKinds).find(([, id]) => id === kind) as [string, number]
  return sequence ? `${name} ${sequence}` : name
}
