import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { textFrame } from './frames.ts'
import { allocate, field, HEADER_BYTES, RECORD_BYTES } from './protocol.ts'
import { hello, records, startRecordServer, strings } from './record-server.fixture.ts'

const valid = { metric: 'app.pool.size', value: 2 }
/** A valid point, and another one. */
const points = (other: object) => textFrame('points', JSON.stringify([valid, other]), 1)

describe('the socket for records', () => {
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
    ['hello that is no JSON', 'content', /is JSON/, textFrame('hello', '{"resource":')],
    ['hello without a resource', 'content', /resource/, textFrame('hello', '{"timeOriginMs":0}')],
    ['a second hello', 'garbage', /one hello/, hello(), hello()],
  ] as const) {
    test(`refuses ${what}, gives the reason, counts it, and continues to serve others`, async t => {
      const { open, counts } = await startRecordServer(t)
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

  for (const [what, frame, dropped] of [
    ['strings that are numbers', textFrame('strings', '{"firstId":1,"strings":[1]}'), 0],
    ['strings that are no JSON', textFrame('strings', '{"firstId":'), 0],
    ['points that are no list', textFrame('points', '{}', 1), 1],
    ['points that are no JSON', textFrame('points', '[', 1), 1],
    ['a point whose metric is no text', points({ metric: ['app.pool.size'], value: 1 }), 1],
    ['a point without a value', points({ metric: 'app.pool.size', value: null }), 1],
    ['a point whose attribute is no text', points({ ...valid, attributes: { a: 1 } }), 1],
    ['a point of an unknown metric', points({ metric: 'a', value: 1 }), 1],
    ['a pulse that is none', textFrame('pulse', '{"app":{}}'), 0],
  ] as const)
    test(`drops ${what}, counts it, and takes all else of the connection`, async t => {
      const { open, counts, durations } = await startRecordServer(t)
      const app = await open()
      const good = textFrame('points', JSON.stringify([valid]), 2)
      app.write(Buffer.concat([hello(), frame, strings, good, records(1, 3)]))
      for (let sequence = 0; sequence < 3; ) sequence = await app.ack()
      assert.deepEqual(durations(), [['/demo', 1]])
      // Strings and pulses are not in the ledger.
      const isInLedger = dropped > 0
      assert.equal(counts.decodeErrors.content, isInLedger || !/numbers/.test(what) ? 1 : 0)
      assert.deepEqual(counts.delivered().metricPoints, {
        delivered: isInLedger && what.startsWith('a point') ? 2 : 1,
        dropped,
      })
    })

  test('takes a hello with attributes that are none, without them', async t => {
    const { open, reporters } = await startRecordServer(t)
    const app = await open()
    const valid = { 'service.instance.id': 'one' }
    const resource = { ...valid, list: [1], object: { toString: 1 }, none: null, long: 'x'.repeat(9999) }
    const given = textFrame('hello', JSON.stringify({ resource, timeOriginMs: 0 }))
    app.write(Buffer.concat([given, records(1, 1)]))
    await app.ack()
    assert.deepEqual(reporters.collect()[0]?.resource.attributes, valid)
  })

  test('ignores and counts invalid records', async t => {
    const { open, counts } = await startRecordServer(t)
    const app = await open()
    const frame = allocate(HEADER_BYTES + 4 * RECORD_BYTES)
    frame.bytes.set(records(4, 1))
    frame.float64[(HEADER_BYTES + field.durationMs) / 8] = Number.NaN
    frame.float64[(HEADER_BYTES + 3 * RECORD_BYTES + field.startMs) / 8] = 1e300
    frame.uint16[(HEADER_BYTES + RECORD_BYTES + field.kind) / 2] = 77
    app.write(Buffer.concat([hello(), strings, frame.bytes]))
    await app.ack()
    assert.deepEqual([counts.records, counts.decodeErrors.content], [1, 3])
    assert.deepEqual(counts.delivered().spans, { delivered: 1, dropped: 3 })
  })

  test('keeps the number of series within a bound under a flood of made-up values', async t => {
    const { open, reporters } = await startRecordServer(t)
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
