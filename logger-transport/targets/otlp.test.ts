import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logLevels } from '../../lib/telemetry/logger.ts'
import { startCollector } from '../../test/collector.ts'
import { decodeLogs } from '../../test/otlp-receiver.ts'
import { enrich } from '../record.ts'
import { createOtlpTarget } from './otlp.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }
const trace = {
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  span_id: 'b7ad6b7169203331',
  trace_flags: '01',
}
const TIME = Date.UTC(2026, 0, 2)
const recordOf = (fields: object, instance = 'a') =>
  enrich(JSON.stringify({ time: TIME, level: 'info', message: 'm', ...fields }), { ...resource, instance })

test('the lines of one process share a resource, and each has its severity, its fields and its trace', async t => {
  const { url, received } = await startCollector(t, [200])
  const lines = logLevels.map((level, index) => recordOf({ level, line: index, ...trace }))
  const refusals = await createOtlpTarget(url).deliver([...lines, recordOf({ trace_id: 'none' }, 'b')])
  assert.deepEqual(refusals, [])
  const [ofFirst, ofSecond, ...others] = decodeLogs(received[0]?.body as Buffer)
  assert.deepEqual(others, [])
  assert.equal(ofFirst?.resource['service.instance.id'], 'a')
  assert.deepEqual(
    ofFirst?.records.map(({ severityNumber, severityText }) => [severityText, severityNumber]),
    Object.entries({ fatal: 21, error: 17, warn: 13, info: 9, debug: 5, trace: 1 }),
  )
  const [first] = ofFirst?.records ?? []
  assert.deepEqual(
    [first?.timeMs, first?.body, first?.attributes, first?.traceId, first?.spanId, first?.flags],
    [TIME, 'm', { line: 0 }, trace.trace_id, trace.span_id, 1],
  )
  const [untraced] = ofSecond?.records ?? []
  assert.deepEqual([untraced?.traceId, untraced?.attributes], ['', { trace_id: 'none' }])
})

test('lines that are answered with a mistake of theirs are refused for good, and none by a receiver that is busy', async t => {
  const records = [recordOf({ line: 1 }), recordOf({ line: 2 })]
  for (const status of [400, 401, 404, 415]) {
    const { url, received } = await startCollector(t, [status])
    const [refusal, ...others] = await createOtlpTarget(url).deliver(records)
    assert.deepEqual([refusal?.records, others, received.length], [records, [], 1])
    assert.match(String(refusal?.why), new RegExp(`^${url} answered with ${status} `))
  }
  // The receiver asks for a longer pause than an export may take, so the exporter does not wait for it.
  const { url } = await startCollector(t, [503], { headers: { 'retry-after': '60' } })
  await assert.rejects(createOtlpTarget(url).deliver(records))
})

test('an export that is too large is sent in halves, and only the line that is too large alone is refused', async t => {
  const [TOO_LARGE, TAKEN] = [413, 200]
  const { url, received } = await startCollector(t, [TOO_LARGE, TAKEN, TOO_LARGE, TOO_LARGE, TAKEN])
  const records = [1, 2, 3, 4].map(line => recordOf({ line }))
  const refusals = await createOtlpTarget(url).deliver(records)
  assert.deepEqual(
    refusals.map(refusal => refusal.records),
    [[records[2]]],
  )
  const sent = received.map(({ body }) =>
    decodeLogs(body)[0]?.records.map(({ attributes }) => attributes.line),
  )
  assert.deepEqual(sent, [[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]])
})

test('a line that cannot be made Protobuf is refused, and those beside it are delivered', async t => {
  const { url, received } = await startCollector(t, [200])
  const depth = 100_000
  const deep = enrich(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`, resource)
  const [refusal, ...others] = await createOtlpTarget(url).deliver([
    recordOf({ line: 1 }),
    deep,
    recordOf({ line: 2 }),
  ])
  assert.deepEqual([refusal?.records, others], [[deep], []])
  assert.match(String(refusal?.why), /^it cannot be made Protobuf/)
  const lines = received
    .flatMap(({ body }) => decodeLogs(body)[0]?.records ?? [])
    .map(({ attributes }) => attributes.line)
  assert.deepEqual(lines, [1, 2])
})

/** An answer that says in Protobuf how many records are refused, and why. */
function partialSuccess(rejected: number, message: string): Buffer {
  const said = Buffer.from([0x08, rejected, 0x12, message.length, ...Buffer.from(message)])
  return Buffer.from([0x0a, said.length, ...said])
}

test('of two lines, as many are refused as a receiver says; they are known if these are all', async t => {
  const records = [recordOf({ line: 1 }), recordOf({ line: 2 })]
  for (const [rejected, kept, refused] of [
    [1, 0, 1],
    [2, 2, 2],
    [100, 2, 2],
    [0, 0, 0],
  ] as const) {
    const { url } = await startCollector(t, [200], { answer: partialSuccess(rejected, 'too old') })
    const expected = { count: refused, records: records.slice(0, kept), why: `${url} answered: too old` }
    assert.deepEqual(await createOtlpTarget(url).deliver(records), [expected])
  }
  const { url } = await startCollector(t, [200], { answer: Buffer.from('{"ok":true}') })
  assert.deepEqual(await createOtlpTarget(url).deliver(records), [], 'it is no Protobuf')
})
