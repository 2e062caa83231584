import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { emptyResource } from '@opentelemetry/resources'
import { listen } from '../lib/listen.ts'
import { AppInstance } from './app-instance.ts'
import { CollectorExport } from './collector.ts'
import { countSpans, decodeMetrics } from './otlp.ts'
import { allocate, field, RECORD_BYTES, recordKinds, SAMPLED } from './protocol.ts'
import { RecordView } from './record-view.ts'
import { describeSpan } from './span.ts'

const MAX_WAITING = 65_536
/** Of the batch that is being exported. */
const IN_FLIGHT = 512
const NEVER = 2 ** 30

describe('the export to a collector', () => {
  test('tries again what the collector could not take for a moment, and counts it once', async t => {
    const { url, bodies } = await startCollector(t, [503, 200])
    const collector = new CollectorExport({ url, intervalMs: NEVER, collect: () => [] })
    for (let index = 0; index < 3; index++) collector.takeSpan(span())
    await collector.close()
    const counts = bodies.map(body => countSpans(body).reduce((total, { spans }) => total + spans, 0))
    assert.deepEqual(counts, [3, 3])
    assert.deepEqual(collector.spans, { exported: 3, dropped: 0 })
  })

  test('counts as dropped what the collector does not want', async t => {
    const { url } = await startCollector(t, [400])
    const collector = new CollectorExport({ url, intervalMs: NEVER, collect: () => [] })
    collector.takeSpan(span())
    await collector.close()
    assert.deepEqual(collector.spans, { exported: 0, dropped: 1 })
  })

  test('holds so many spans and no more while the collector takes none, and counts the others', async t => {
    const { url, release, asked } = await startCollector(t, [200], true)
    const collector = new CollectorExport({ url, intervalMs: NEVER, collect: () => [] })
    const one = span()
    for (let index = 0; index < MAX_WAITING + IN_FLIGHT + 10; index++) collector.takeSpan(one)
    await asked()
    assert.equal(collector.spans.dropped, 10)
    release()
    await collector.close()
    assert.deepEqual(collector.spans, { exported: MAX_WAITING + IN_FLIGHT, dropped: 10 })
  })

  test('sends metrics, a resource each, and the last ones when it closes', async t => {
    const { url, bodies } = await startCollector(t, [200])
    const instance = new AppInstance({ resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 })
    instance.takePoints([{ signal: 'app.pool.size', value: 4 }])
    const collector = new CollectorExport({
      url,
      intervalMs: NEVER,
      collect: () => [
        {
          resource: instance.resource,
          scopeMetrics: [{ scope: { name: 'app' }, metrics: instance.describe() }],
        },
      ],
    })
    await collector.close()
    const [received] = bodies.flatMap(decodeMetrics)
    assert.equal(received?.resource['service.instance.id'], 'one')
    assert.deepEqual(
      received?.metrics.map(({ descriptor: { name, unit } }) => [name, unit]),
      [['app.pool.size', '{worker}']],
    )
    assert.deepEqual(collector.metricPoints, { exported: 1, dropped: 0 })
  })
})

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

/** Answers with these statuses in turn, the last one for ever. @param held until it is released */
async function startCollector(t: TestContext, statuses: readonly number[], held = false) {
  const bodies: Buffer[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  if (!held) release()
  const server = createServer(async (request, response) => {
    bodies.push(await buffer(request))
    server.emit('asked')
    await released
    response.writeHead(statuses[Math.min(bodies.length, statuses.length) - 1] as number).end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  return { url, bodies, release, asked: () => (bodies.length > 0 ? undefined : once(server, 'asked')) }
}
