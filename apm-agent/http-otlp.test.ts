import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startCollector } from '../test/collector.ts'
import { exported, startAgentServer } from './http-server.fixture.ts'

describe('the agent that gets OTLP over HTTP', () => {
  test('takes OTLP that is compressed', async t => {
    const { url, counts } = await startAgentServer(t)
    const headers = { 'content-type': 'application/x-protobuf; charset=utf-8', 'content-encoding': 'GZIP' }
    const post = (body: Buffer) => fetch(`${url}/v1/traces`, { method: 'POST', headers, body: body as never })
    assert.equal((await post(gzipSync(Buffer.from('0a0412021200', 'hex')))).status, 200)
    assert.equal(counts.spans.otlp, 1)
    assert.equal((await post(Buffer.from('no gzip'))).status, 400)
    assert.equal((await post(gzipSync(Buffer.alloc(5 * 2 ** 20)))).status, 400, 'larger than a body may be')
  })

  test('shows metrics that the collector refuses, and does not count them', async t => {
    const { url: collectorUrl } = await startCollector(t, [401])
    t.mock.method(process.stderr, 'write', () => true)
    const { exportMetrics, read, counts } = await startAgentServer(t, collectorUrl)
    await assert.rejects(exportMetrics(exported('one')))
    assert.equal(counts.metricPoints.otlp, 0)
    assert.match(await read('/metrics'), /^app_pool_tasks_total\{.*service_instance_id="one"\} 3$/m)
    assert.match(await read('/metrics'), /^apm_agent_metric_points_dropped_total 2$/m)
  })
})
