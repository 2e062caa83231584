import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { textFrame } from './frames.ts'
import { allocate, field, HEADER_BYTES, RECORD_BYTES } from './protocol.ts'
import { hello, records, startRecordServer, strings } from './record-server.fixture.ts'

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

  test('refuses an app with the identity of a process that reports otherwise', async t => {
    const { open, reporters, closed } = await startRecordServer(t)
    const resource = resourceFromAttributes({ 'service.instance.id': 'one' })
    reporters.find(resource.attributes, () => ({ resource, describe: () => [] }))
    const app = await open()
    app.write(hello())
    assert.match(await app.refusal(), /too many apps/)
    app.socket.destroy()
    await closed()
  })

  test('counts half a frame when its sender is gone', async t => {
    const { open, counts, closed } = await startRecordServer(t)
    const app = await open()
    app.write(Buffer.concat([hello(), records(4, 1).subarray(0, 100)]))
    app.socket.end()
    await closed()
    assert.deepEqual([counts.records, counts.decodeErrors.partial, counts.connections], [0, 1, 0])
  })

  test('ignores and counts invalid records', async t => {
    const { open, counts } = await startRecordServer(t)
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
