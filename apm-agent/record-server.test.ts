import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { textFrame } from './frames.ts'
import { hello, records, startRecordServer, strings } from './record-server.fixture.ts'

const points = (sequence: number) =>
  textFrame('points', JSON.stringify([{ metric: 'app.pool.size', value: 4 }]), sequence)

describe('the socket for records', () => {
  test('accepts records however their bytes are cut, and acknowledges each frame', async t => {
    const { open, counts, durations } = await startRecordServer(t)
    const app = await open()
    const bytes = Buffer.concat([hello(), strings, records(3, 1), records(2, 2)])
    for (let from = 0; from < bytes.length; from += 7) app.write(bytes.subarray(from, from + 7))
    assert.deepEqual([await app.ack(), await app.ack()], [1, 2])
    assert.deepEqual([counts.records, counts.spans.records], [5, 5])
    assert.deepEqual(durations(), [['/demo', 5]])
  })

  test('counts a frame once when it comes again over a new connection', async t => {
    const { open, counts, durations } = await startRecordServer(t)
    const first = await open()
    first.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await first.ack()
    first.socket.destroy()
    const second = await open()
    second.write(Buffer.concat([hello(), strings, records(3, 1), records(1, 2)]))
    assert.deepEqual([await second.ack(), await second.ack()], [1, 2])
    assert.equal(counts.records, 4)
    assert.deepEqual(durations(), [['/demo', 4]])
  })

  test('acknowledges frames in their order, once their spans are exported', async t => {
    const settles: (() => void)[] = []
    const { open, counts } = await startRecordServer(t, (_spans, settle) => settles.push(settle))
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
    const { open, counts } = await startRecordServer(t, (_spans, settle) => settles.push(settle))
    const first = await open()
    first.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await first.received()
    first.socket.destroy()
    const second = await open()
    second.write(Buffer.concat([hello(), strings, records(3, 1)]))
    assert.equal(await second.received(), 1)
    settles[0]?.()
    assert.equal(await second.ack(), 1)
    assert.deepEqual([settles.length, counts.spans.records], [1, 3], 'it took them once')
  })

  test('still acknowledges exported frames when it reads no more, and closes the connection then', async t => {
    const settles: (() => void)[] = []
    const { open, server } = await startRecordServer(t, (_spans, settle) => settles.push(settle))
    const app = await open()
    app.write(Buffer.concat([hello(), strings, records(3, 1)]))
    await app.received()
    server.stopReading()
    settles[0]?.()
    server.close()
    assert.equal(await app.ack(), 1)
    await once(app.socket, 'close')
  })
})
