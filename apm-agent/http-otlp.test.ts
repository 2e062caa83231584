import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { emptyResource } from '@opentelemetry/resources'
import { startCollector } from '../test/collector.ts'
import { exported, startAgentServer, succeed, times } from './http-server.fixture.ts'
import { decodeMetrics } from './otlp.ts'

describe('the agent that gets OTLP over HTTP', () => {
  test('takes OTLP that is compressed', async t => {
    const { url, counts } = await startAgentServer(t)
    const headers = { 'content-type': 'application/x-protobuf; charset=utf-8', 'content-encoding': 'gzip' }
    const post = (body: Buffer) => fetch(`${url}/v1/traces`, { method: 'POST', headers, body: body as never })
    assert.equal((await post(gzipSync(Buffer.from('0a0412021200', 'hex')))).status, 200)
    assert.equal(counts.spans.otlp, 1)
    assert.equal((await post(Buffer.from('no gzip'))).status, 400)
    assert.equal((await post(gzipSync(Buffer.alloc(5 * 2 ** 20)))).status, 400, 'larger than a body may be')
  })

  test('counts spans', async t => {
    const { url, counts } = await startAgentServer(t)
    const span = {
      name: 'a',
      kind: 0,
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
    }
    const rest = {
      ...times,
      status: { code: 0 },
      attributes: {},
      links: [],
      events: [],
      duration: [0, 0],
      ended: true,
    }
    const dropped = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 }
    const spans = [1, 2, 3].map(() => ({
      ...span,
      ...rest,
      ...dropped,
      resource: emptyResource(),
      instrumentationScope: { name: 'a' },
    }))
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` })
    await succeed(done => exporter.export(spans as never, done))
    assert.equal(counts.spans.otlp, 3)
  })

  test('counts and shows forwarded data, whatever the collector answers', async t => {
    const { url: collectorUrl, received } = await startCollector(t, [401])
    const written = t.mock.method(process.stderr, 'write', () => true)
    const { exportMetrics, read, counts, exports, forwarding } = await startAgentServer(t, collectorUrl)
    await exportMetrics(exported('one'))
    assert.equal(counts.metricPoints.otlp, 2)
    assert.match(await read('/metrics'), /^app_pool_tasks_total\{.*service_instance_id="one"\} 3$/m)
    await forwarding?.['/v1/metrics']?.close()
    assert.deepEqual(exports.metricPoints, { exported: 0, dropped: 2 })
    assert.match(await read('/metrics'), /^apm_agent_metric_points_dropped_total 2$/m)
    assert.deepEqual(
      received.map(({ path, body }) => [path, decodeMetrics(body)[0]?.points]),
      [['/v1/metrics', 2]],
    )
    const said = written.mock.calls.map(({ arguments: [line] }) => line)
    assert.deepEqual(said, [
      `apm-agent: ${collectorUrl}/v1/metrics answered with 401; what it was sent is dropped\n`,
    ])
  })

  test('refuses data for which it has no room, without counting it', async t => {
    const { url: collectorUrl } = await startCollector(t, [503])
    t.mock.method(process.stderr, 'write', () => true)
    const { url, counts, forwarding } = await startAgentServer(t, collectorUrl)
    forwarding?.['/v1/traces']?.add(Buffer.alloc(16 * 2 ** 20), 1)
    const headers = { 'content-type': 'application/x-protobuf' }
    const body = Buffer.from('0a0412021200', 'hex')
    const refused = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
    assert.equal(counts.spans.otlp, 0)
    await forwarding?.['/v1/traces']?.close(0)
  })
})
