import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyResource } from '@opentelemetry/resources'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { startCollector } from '../test/collector.ts'
import { until } from '../test/faults/fault.ts'
import { AppInstance } from './app-instance.ts'
import { CollectorExport, noExports, readCollectorUrls } from './collector.ts'
import { countSpans } from './otlp.ts'
import { decodeMetrics } from './otlp-metrics.ts'
import { allocate, field, RECORD_BYTES, recordKinds, SAMPLED } from './protocol.ts'
import { RecordView } from './record-view.ts'
import { describeSpan } from './span.ts'

const MAX_WAITING = 65_536
/** Number of spans in the batch that is being exported. */
const IN_FLIGHT = 512
const NEVER = 2 ** 30

/** The export to a collector, and its counts. */
function start(url: string, collect: () => ResourceMetrics[] = () => []) {
  const urls = { traces: `${url}/v1/traces`, metrics: `${url}/v1/metrics` }
  const counts = noExports()
  const collector = new CollectorExport({ urls, counts, intervalMs: NEVER, collect })
  return { counts, spans: collector.spans, close: () => collector.close() }
}

describe('the export to a collector', () => {
  test('repeats an export after a temporary failure, and counts it once', async t => {
    const { url, received } = await startCollector(t, [503, 200])
    const collector = start(url)
    for (let index = 0; index < 3; index++) collector.spans?.take([span()], () => {})
    await collector.close()
    const counts = received.map(({ body }) => countSpans(body).reduce((total, { items }) => total + items, 0))
    assert.deepEqual(counts, [3, 3])
    assert.deepEqual(collector.counts.traces, { exported: 3, dropped: 0 })
  })

  test('counts data as dropped when the collector refuses it, and reports it once', async t => {
    const written = t.mock.method(process.stderr, 'write', () => true)
    const { url } = await startCollector(t, [413])
    const collector = start(url)
    for (let index = 0; index < 2 * IN_FLIGHT; index++) collector.spans?.take([span()], () => {})
    await collector.close()
    assert.deepEqual(collector.counts.traces, { exported: 0, dropped: 2 * IN_FLIGHT })
    const said = written.mock.calls.map(({ arguments: [line] }) => line)
    assert.deepEqual(said, [`telemetry: ${url}/v1/traces answered with 413; what it was sent is dropped\n`])
  })

  test('counts the items that the collector rejects as dropped, and says why', async t => {
    const written = t.mock.method(process.stderr, 'write', () => true)
    const { url } = await startCollector(t, [200], {
      // One span or point was rejected, because it is old.
      answer: Buffer.from('0a07080112036f6c64', 'hex'),
      headers: { 'content-type': 'application/x-protobuf' },
    })
    const collector = start(url.replace('//', '//me:secret@'), () => [instanceWithPoint().collect()])
    for (let index = 0; index < 3; index++) collector.spans?.take([span()], () => {})
    await collector.close()
    assert.deepEqual(collector.counts.traces, { exported: 2, dropped: 1 })
    assert.deepEqual(collector.counts.metrics, { exported: 0, dropped: 1 })
    const said = written.mock.calls.map(({ arguments: [line] }) => line).sort()
    assert.deepEqual(said, [
      `telemetry: ${url}/v1/metrics rejected 1 of 1 items (old)\n`,
      `telemetry: ${url}/v1/traces rejected 1 of 3 items (old)\n`,
    ])
  })

  test('keeps a limited number of spans while the collector accepts none, and counts the dropped ones', async t => {
    const { url, release, asked } = await startCollector(t, [200], { held: true })
    const collector = start(url)
    const one = span()
    for (let index = 0; index < MAX_WAITING + IN_FLIGHT + 10; index++) collector.spans?.take([one], () => {})
    await asked()
    assert.equal(collector.counts.traces.dropped, 10)
    release()
    // A machine that others use may need longer than the time limit of `close`.
    await until(() => collector.counts.traces.exported === MAX_WAITING + IN_FLIGHT)
    await collector.close()
    assert.deepEqual(collector.counts.traces, { exported: MAX_WAITING + IN_FLIGHT, dropped: 10 })
  })

  test('sends the metrics of each resource, and the last ones when it closes', async t => {
    const { url, received } = await startCollector(t, [200])
    const instance = instanceWithPoint()
    const collector = start(url, () => [instance.collect()])
    await collector.close()
    const [sent] = received.flatMap(({ body }) => decodeMetrics(body))
    assert.equal(sent?.resource['service.instance.id'], 'one')
    const [{ name, unit } = {}, ...others] = sent?.metrics.map(({ metric }) => metric.descriptor) ?? []
    assert.deepEqual([name, unit, others], ['app.pool.size', '{worker}', []])
    assert.deepEqual(collector.counts.metrics, { exported: 1, dropped: 0 })
  })
})

function instanceWithPoint(): AppInstance {
  const instance = new AppInstance({ resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 })
  instance.measured.takePoints([{ metric: 'app.pool.size', value: 4 }])
  return instance
}

/** A span as apm-agent makes it of a record. */
function span() {
  const memory = allocate(RECORD_BYTES)
  memory.uint16[field.kind / 2] = recordKinds.server
  memory.uint16[field.flags / 2] = SAMPLED
  memory.bytes.fill(1, field.traceId, field.spanId + 8)
  const record = new RecordView([''])
  record.moveTo(memory, 0)
  return describeSpan(record, emptyResource(), Date.now())
}

test('apm-agent does not export to itself, but to another port of its machine, and to its port of another one', t => {
  const written = t.mock.method(process.stderr, 'write', () => true)
  for (const own of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])
    assert.equal(readCollectorUrls(`http://${own}:4318`, '0.0.0.0', 4318).traces, undefined)
  assert.match(String(written.mock.calls[0]?.arguments[0]), /is apm-agent itself/)
  for (const url of ['http://127.0.0.1:4320', 'http://collector:4318'])
    assert.equal(readCollectorUrls(url, '0.0.0.0', 4318).traces, `${url}/v1/traces`)
})
