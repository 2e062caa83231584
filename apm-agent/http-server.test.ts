import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import protobuf from 'protobufjs'
import { listen } from '../lib/http/listen.ts'
import { startCollector } from '../test/collector.ts'
import { AppInstance } from './app-instance.ts'
import { createAgent, createAgentServer } from './http-server.ts'
import { Live, readLivePage } from './live/live.ts'
import { OWN_SCOPE } from './metrics.ts'

const PROTOBUF = { 'content-type': 'application/x-protobuf' }

/** Starts the HTTP server of an agent, without a socket for records. */
async function start(t: TestContext, collectorUrl?: string) {
  const agent = createAgent({ metrics: collectorUrl && `${collectorUrl}/v1/metrics` })
  const deliveries = { of: () => ({ spans: 0, metricPoints: 0 }), readLines: () => null }
  const live = new Live({ note: 'a test', deliveries })
  const server = createAgentServer({ ...agent, live, page: readLivePage() })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    live.close()
    server.close()
  })
  const readSamples = async () => (await (await fetch(`${url}/metrics`)).text()).split('\n')
  return { url, ...agent, readSamples }
}

/** Exports two metrics, as an SDK in an app does. */
async function exportMetrics(url: string, instance: string, tasks: number): Promise<void> {
  const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'app', 'service.instance.id': instance }),
    readers: [new PeriodicExportingMetricReader({ exporter })],
  })
  const meter = provider.getMeter('test')
  meter
    .createCounter('app.pool.tasks', { description: 'Tasks', unit: '{task}' })
    .add(tasks, { 'app.pool.name': 'compute' })
  const advice = { explicitBucketBoundaries: [0.1, 0.5] }
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's', advice })
  for (const seconds of [0.0625, 0.25, 1]) durations.record(seconds, { 'http.route': '/say "hi"\n\\' })
  await provider.shutdown()
}

describe('the agent over HTTP', () => {
  test('shows received OTLP metrics to Prometheus, separately for each instance', async t => {
    const { url, readSamples, counts } = await start(t)
    await exportMetrics(url, 'one', 3)
    await exportMetrics(url, 'two', 3)
    await exportMetrics(url, 'one', 4)
    assert.equal(counts.metricPoints.otlp, 6)
    const lines = await readSamples()
    const tasks = lines.filter(line => line.includes('app_pool_tasks'))
    const labels = 'app_pool_name="compute",otel_scope_name="test",service_name="app"'
    assert.deepEqual(tasks, [
      '# HELP app_pool_tasks_total Tasks',
      '# TYPE app_pool_tasks_total counter',
      `app_pool_tasks_total{${labels},service_instance_id="one"} 4`,
      `app_pool_tasks_total{${labels},service_instance_id="two"} 3`,
    ])
    const label =
      'http_route="/say \\"hi\\"\\n\\\\",otel_scope_name="test",service_name="app",service_instance_id="one"'
    for (const sample of [
      `_bucket{${label},le="0.1"} 1`,
      `_bucket{${label},le="0.5"} 2`,
      `_bucket{${label},le="+Inf"} 3`,
      `_sum{${label}} 1.3125`,
      `_count{${label}} 3`,
    ])
      assert.ok(lines.includes(`http_server_request_duration_seconds${sample}`), sample)
    assert.ok(lines.some(line => /^target_info\{.*service_instance_id="one".*\} 1$/.test(line)))
  })

  test('shows metrics that the collector refuses, and does not count them', async t => {
    const { url: collectorUrl } = await startCollector(t, [401])
    t.mock.method(process.stderr, 'write', () => true)
    const { url, readSamples, counts } = await start(t, collectorUrl)
    await exportMetrics(url, 'one', 3).catch(() => {})
    assert.equal(counts.metricPoints.otlp, 0)
    const lines = await readSamples()
    assert.ok(lines.some(line => /^app_pool_tasks_total\{.*service_instance_id="one"\} 3$/.test(line)))
    assert.ok(lines.includes('apm_agent_metric_points_dropped_total 2'))
  })

  test('takes OTLP that is compressed', async t => {
    const { url, counts } = await start(t)
    const headers = { 'content-type': 'application/x-protobuf; charset=utf-8', 'content-encoding': 'GZIP' }
    const post = (body: Buffer) => fetch(`${url}/v1/traces`, { method: 'POST', headers, body: body as never })
    assert.equal((await post(gzipSync(Buffer.from('0a0412021200', 'hex')))).status, 200)
    assert.equal(counts.spans.otlp, 1)
    assert.equal((await post(Buffer.from('no gzip'))).status, 400)
    assert.equal((await post(gzipSync(Buffer.alloc(5 * 2 ** 20)))).status, 400, 'larger than a body may be')
  })

  test('stays readable for Prometheus, whatever a reporter says', async t => {
    const { readSamples, reporters } = await start(t)
    const metric = (name: string, attributes: Record<string, string>, type = DataPointType.GAUGE) => ({
      descriptor: { name, description: '', unit: '', valueType: ValueType.INT },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: type,
      isMonotonic: true,
      dataPoints: [{ startTime: [1, 0], endTime: [2, 0], attributes, value: 1 }],
    })
    const resource = resourceFromAttributes({ 'service.instance.id': 'odd', 9: 'nine', 'a.b': '1', a_b: '2' })
    const metrics = [
      metric('a-b', { '1a': 'x', 'c.d': '1', c_d: '2', service_instance_id: 'another' }),
      metric('a_b', { '1a': 'x', 'c.d': '1;2' }),
      metric('c', {}, DataPointType.SUM),
      metric('c.total', {}, DataPointType.SUM),
      metric('target.info', {}),
      metric('apm_agent_connections', {}),
      metric('', {}),
    ]
    const scopeMetrics = [{ scope: OWN_SCOPE, metrics: metrics as never }]
    const { mock } = t.mock.method(process.stderr, 'write', () => true)
    reporters.find('records', resource.attributes, () => ({ collect: () => ({ resource, scopeMetrics }) }))
    const samples = (await readSamples()).filter(line => /^[a-z_]/.test(line))
    assert.deepEqual(
      samples.filter(line => !line.startsWith('apm_agent_')),
      [
        'target_info{_9="nine",service_instance_id="odd",a_b="1;2"} 1',
        'a_b{_1a="x",c_d="1;2",service_instance_id="odd"} 1',
        'c_total{service_instance_id="odd"} 1',
      ],
    )
    assert.equal(samples.filter(line => line.startsWith('apm_agent_connections')).length, 1)
    assert.match(String(mock.calls[0]?.arguments), /lacks a second a_b of a service without a name/)
  })

  test('shows its own counts, and metrics under the names that Prometheus expects', async t => {
    const { readSamples, reporters, counts } = await start(t)
    const hello = { resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 }
    counts.decodeErrors.version = 2
    reporters
      .find('records', hello.resource, () => new AppInstance(hello))
      ?.measured.takePoints([
        { metric: 'nodejs.eventloop.utilization', value: 0.5 },
        { metric: 'nodejs.eventloop.delay.p99', value: 0.02 },
        { metric: 'nodejs.eventloop.time', value: 7, attributes: { 'nodejs.eventloop.state': 'idle' } },
        { metric: 'v8js.memory.heap.used', value: 1000, attributes: { 'v8js.heap.space.name': 'new_space' } },
        { metric: 'constructor', value: 1 },
      ])
    const samples = await readSamples()
    assert.deepEqual(
      samples.filter(line => /^(nodejs|v8js|constructor|apm_agent_(decode.*version|spans))/.test(line)),
      [
        'nodejs_eventloop_utilization_ratio{service_instance_id="one"} 0.5',
        'nodejs_eventloop_delay_p99_seconds{service_instance_id="one"} 0.02',
        'nodejs_eventloop_time_seconds_total{nodejs_eventloop_state="idle",service_instance_id="one"} 7',
        'v8js_memory_heap_used_bytes{v8js_heap_space_name="new_space",service_instance_id="one"} 1000',
        'apm_agent_spans_received_total{protocol="records"} 0',
        'apm_agent_spans_received_total{protocol="otlp"} 0',
        'apm_agent_decode_errors_total{reason="version"} 2',
        'apm_agent_spans_exported_total 0',
        'apm_agent_spans_dropped_total 0',
      ],
    )
  })

  test('serves the live page and its stream; the policy of the page allows only files of this server', async t => {
    const { url } = await start(t)
    const response = await fetch(url)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; .*script-src 'self';/)
    const paths = [...(await response.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    assert.equal(paths.length, 3)
    for (const path of paths) {
      const asset = await fetch(url + path)
      assert.equal(asset.status, 200)
      assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    }
    const aborter = new AbortController()
    const { headers, body } = await fetch(`${url}/events?after=0`, { signal: aborter.signal })
    assert.equal(headers.get('content-type'), 'text/event-stream')
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
    aborter.abort()
    assert.match(String(Buffer.from(value as Uint8Array)), /^data: {"kind":"hello","nowMs":\d+}\n\n/)
  })

  /** One message with 300,000 empty ones: each takes two bytes here, and a hundred when it is decoded. */
  const emptyMessages = (tag: number) =>
    protobuf.Writer.create()
      .uint32(0x0a)
      .bytes(Buffer.alloc(600_000).fill(Buffer.from([tag, 0])))
      .finish() as Uint8Array<ArrayBuffer>
  const latencies = ['[[1]]', '[[1,-5]]', '[[1e308,1e308]]', '[[815,1]]', '[[0.5,1]]', 'null', '7']
  test('refuses what it does not take with a problem document', async t => {
    const { url } = await start(t)
    const ofReport = { method: 'POST', headers: { 'content-type': 'application/json' } }
    for (const [path, status, init] of [
      ['/nothing', 404, {}],
      ['/v1/traces', 405, {}],
      ['/metrics', 405, { method: 'POST' }],
      ['/events', 405, { method: 'POST' }],
      ...[...latencies, ' '.repeat(40_000)].map(
        each => ['/live/load', 400, { ...ofReport, body: `{"latencies":${each}}` }] as const,
      ),
      // A page of another site can send no JSON.
      ['/live/load', 415, { method: 'POST', body: '{}' }],
      ['/v1/metrics', 400, { method: 'POST', body: 'nonsense' }],
      ['/v1/traces', 400, { method: 'POST', body: emptyMessages(0x0a) }],
      ['/v1/metrics', 400, { method: 'POST', body: emptyMessages(0x12) }],
    ] as const) {
      const response = await fetch(url + path, { headers: PROTOBUF, ...init })
      assert.equal(response.status, status, path)
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(((await response.json()) as { status: number }).status, status)
      assert.equal(response.headers.has('allow'), status === 405)
    }
  })
})
