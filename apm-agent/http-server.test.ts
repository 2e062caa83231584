import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ValueType } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { listen } from '../lib/listen.ts'
import { startCollector } from '../test/collector.ts'
import { AppInstance } from './app-instance.ts'
import { AgentCounts, registerCounts } from './counts.ts'
import { createForwarding } from './forwarding.ts'
import { createAgentServer } from './http-server.ts'
import { Live } from './live/live.ts'
import { readLivePage } from './live/page-files.ts'
import { decodeMetrics } from './otlp.ts'
import { Reporters } from './reporters.ts'

const times = { startTime: [1, 0], endTime: [2, 0] } as {
  startTime: [number, number]
  endTime: [number, number]
}

/** Metrics as an SDK in an app would export them. */
const exported = (instance: string, value = 3): ResourceMetrics => ({
  resource: resourceFromAttributes({ 'service.name': 'app', 'service.instance.id': instance }),
  scopeMetrics: [
    {
      scope: { name: 'test' },
      metrics: [
        {
          descriptor: {
            name: 'app.pool.tasks',
            description: 'Tasks',
            unit: '{task}',
            valueType: ValueType.INT,
          },
          aggregationTemporality: AggregationTemporality.CUMULATIVE,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: [{ ...times, attributes: { 'app.pool.name': 'compute' }, value }],
        },
        {
          descriptor: {
            name: 'http.server.request.duration',
            description: 'Duration',
            unit: 's',
            valueType: ValueType.DOUBLE,
          },
          aggregationTemporality: AggregationTemporality.CUMULATIVE,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: [
            {
              ...times,
              attributes: { 'http.route': '/say "hi"\n\\' },
              value: { count: 3, sum: 0.9, buckets: { boundaries: [0.1, 0.5], counts: [1, 1, 1] } },
            },
          ],
        },
      ],
    },
  ],
})

const report = (latencies: string) => ({
  method: 'POST',
  body: `{"latencies":${latencies}}`,
  headers: { 'content-type': 'application/json' },
})

describe('the agent over HTTP', () => {
  test('shows received OTLP metrics to Prometheus, separately for each instance', async t => {
    const { exportMetrics, read, counts } = await start(t)
    await exportMetrics(exported('one'))
    await exportMetrics(exported('two'))
    await exportMetrics(exported('one', 4))
    assert.equal(counts.metricPoints.otlp, 6)
    const lines = (await read('/metrics')).split('\n')
    const tasks = lines.filter(line => line.includes('app_pool_tasks'))
    assert.deepEqual(tasks, [
      '# HELP app_pool_tasks_total Tasks',
      '# TYPE app_pool_tasks_total counter',
      'app_pool_tasks_total{app_pool_name="compute",service_instance_id="one"} 4',
      'app_pool_tasks_total{app_pool_name="compute",service_instance_id="two"} 3',
    ])
    const label = 'http_route="/say \\"hi\\"\\n\\\\",service_instance_id="one"'
    for (const [suffix, value] of [
      [`_bucket{${label},le="0.1"}`, 1],
      [`_bucket{${label},le="0.5"}`, 2],
      [`_bucket{${label},le="+Inf"}`, 3],
      [`_sum{${label}}`, 0.9],
      [`_count{${label}}`, 3],
    ])
      assert.ok(lines.includes(`http_server_request_duration_seconds${suffix} ${value}`), String(suffix))
    assert.ok(lines.includes('target_info{service_name="app",service_instance_id="one"} 1'))
  })

  test('stays readable for Prometheus, whatever a reporter says', async t => {
    const { read, reporters } = await start(t)
    const metric = (name: string, attributes: Record<string, string>, type = DataPointType.GAUGE) => ({
      descriptor: { name, description: '', unit: '', valueType: ValueType.INT },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: type,
      isMonotonic: true,
      dataPoints: [{ ...times, attributes, value: 1 }],
    })
    const resource = resourceFromAttributes({
      'service.instance.id': 'odd',
      '9': 'nine',
      'a.b': '1',
      a_b: '2',
    })
    const metrics = [
      metric('a-b', { '1a': 'x', 'c.d': '1', c_d: '2', service_instance_id: 'another' }),
      metric('a_b', { '1a': 'x', 'c.d': '1' }),
      metric('c', {}, DataPointType.SUM),
      metric('c.total', {}, DataPointType.SUM),
      metric('target.info', {}),
      metric('apm_agent_connections', {}),
      metric('', {}),
    ]
    reporters.find(resource.attributes, () => ({ resource, describe: () => metrics as never }))
    const samples = (await read('/metrics')).split('\n').filter(line => /^[a-z_]/.test(line))
    assert.deepEqual(
      samples.filter(line => !line.startsWith('apm_agent_')),
      [
        'target_info{_9="nine",service_instance_id="odd",a_b="1"} 1',
        'a_b{_1a="x",c_d="1",service_instance_id="odd"} 1',
        'c_total{service_instance_id="odd"} 1',
      ],
    )
    assert.equal(samples.filter(line => line.startsWith('apm_agent_connections')).length, 1)
  })

  test('takes OTLP that is compressed', async t => {
    const { url, counts } = await start(t)
    const headers = { 'content-type': 'application/x-protobuf; charset=utf-8', 'content-encoding': 'gzip' }
    const post = (body: Buffer) => fetch(`${url}/v1/traces`, { method: 'POST', headers, body: body as never })
    assert.equal((await post(gzipSync(Buffer.from('0a0412021200', 'hex')))).status, 200)
    assert.equal(counts.spans.otlp, 1)
    assert.equal((await post(Buffer.from('no gzip'))).status, 400)
    assert.equal((await post(gzipSync(Buffer.alloc(5 * 2 ** 20)))).status, 400, 'larger than a body may be')
  })

  test('shows its own counts', async t => {
    const { read, counts } = await start(t)
    counts.decodeErrors.version = 2
    const text = await read('/metrics')
    assert.match(text, /^apm_agent_decode_errors_total\{reason="version"\} 2$/m)
    assert.match(text, /^apm_agent_spans_received_total\{protocol="otlp"\} 0$/m)
    assert.match(text, /^apm_agent_spans_dropped_total 0$/m)
  })

  test('shows metrics under the names that Prometheus expects', async t => {
    const { read, reporters } = await start(t)
    const hello = { resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 }
    reporters
      .find(hello.resource, () => new AppInstance(hello))
      ?.takePoints([
        { metric: 'nodejs.eventloop.utilization', value: 0.5 },
        { metric: 'nodejs.eventloop.delay.p99', value: 0.02 },
        { metric: 'nodejs.eventloop.time', value: 7, attributes: { 'nodejs.eventloop.state': 'idle' } },
        { metric: 'v8js.memory.heap.used', value: 1000, attributes: { 'v8js.heap.space.name': 'new_space' } },
        { metric: 'constructor', value: 1 },
      ])
    const samples = (await read('/metrics'))
      .split('\n')
      .filter(line => /^(nodejs|v8js|constructor)/.test(line))
    assert.deepEqual(samples, [
      'nodejs_eventloop_utilization_ratio{service_instance_id="one"} 0.5',
      'nodejs_eventloop_delay_p99_seconds{service_instance_id="one"} 0.02',
      'nodejs_eventloop_time_seconds_total{nodejs_eventloop_state="idle",service_instance_id="one"} 7',
      'v8js_memory_heap_used_bytes{v8js_heap_space_name="new_space",service_instance_id="one"} 1000',
    ])
  })

  test('serves the live page, whose policy allows only files of this server', async t => {
    const { url } = await start(t)
    const response = await fetch(url)
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*script-src 'self';/,
    )
    const paths = [...(await response.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    assert.equal(paths.length, 3)
    for (const path of paths) {
      const asset = await fetch(url + path)
      assert.equal(asset.status, 200)
      assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    }
  })

  test('sends updates to pages, the earlier ones first', async t => {
    const { url } = await start(t)
    const aborter = new AbortController()
    const { headers, body } = await fetch(`${url}/live/events?after=0`, { signal: aborter.signal })
    assert.equal(headers.get('content-type'), 'text/event-stream')
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
    aborter.abort()
    assert.equal(
      Buffer.from(value as Uint8Array)
        .toString()
        .replace(/(?<="nowMs":)\d+/, '0'),
      'data: {"kind":"history","note":"a test","next":"","nowMs":0,"apps":[],"updates":[]}\n\n',
    )
  })

  test('counts and shows forwarded data, whatever the collector answers', async t => {
    const { url: collectorUrl, received } = await startCollector(t, [401])
    const written = t.mock.method(process.stderr, 'write', () => true)
    const { exportMetrics, read, counts, exports, forwarding } = await start(t, collectorUrl)
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
    const { url, counts, forwarding } = await start(t, collectorUrl)
    forwarding?.['/v1/traces']?.add(Buffer.alloc(16 * 2 ** 20), 1)
    const headers = { 'content-type': 'application/x-protobuf' }
    const body = Buffer.from('0a0412021200', 'hex')
    const refused = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
    assert.equal(counts.spans.otlp, 0)
    await forwarding?.['/v1/traces']?.close(0)
  })

  for (const [what, path, status, init] of [
    ['an unknown path', '/nothing', 404, {}],
    ['GET of what is posted', '/v1/traces', 405, {}],
    ['POST of what is read', '/metrics', 405, { method: 'POST' }],
    ['POST of events', '/live/events', 405, { method: 'POST' }],
    [
      'JSON',
      '/v1/traces',
      415,
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    ],
    ...['[[1]]', '[[1,-5]]', '[[1e308,1e308]]', '[[815,1]]', '[[0.5,1]]', 'null', '7'].map(
      latencies => [`${latencies} as latencies`, '/live/load', 400, report(latencies)] as const,
    ),
    ['a report that is too long', '/live/load', 400, report(' '.repeat(40_000))],
    ['a report of a page of another site', '/live/load', 415, { method: 'POST', body: '{}' }],
    ['a body that is no message', '/v1/metrics', 400, { method: 'POST', body: 'nonsense' }],
  ] as const) {
    test(`refuses ${what} with a problem document`, async t => {
      const { url } = await start(t)
      const headers = { 'content-type': 'application/x-protobuf', ...('headers' in init ? init.headers : {}) }
      const response = await fetch(url + path, { ...init, headers })
      assert.equal(response.status, status)
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(((await response.json()) as { status: number }).status, status)
      assert.equal(response.headers.has('allow'), status === 405)
    })
  }

  test('counts spans', async t => {
    const { url, counts } = await start(t)
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
})

async function start(t: TestContext, collectorUrl?: string) {
  const counts = new AgentCounts()
  const reporters = new Reporters()
  const nothing = () => ({ exported: 0, dropped: 0 })
  const exports = { spans: nothing(), metricPoints: nothing() }
  const registry = registerCounts(counts, {
    spans: exports.spans,
    metric_points: exports.metricPoints,
    log_records: nothing(),
  })
  const forwarding =
    collectorUrl === undefined
      ? undefined
      : createForwarding(
          { traces: `${collectorUrl}/v1/traces`, metrics: `${collectorUrl}/v1/metrics` },
          exports,
        )
  const live = new Live({
    note: 'a test',
    readDelivered: () => ({ spans: 0, metricPoints: 0, transportedLines: null }),
  })
  t.after(() => live.close())
  const page = readLivePage()
  const server = createAgentServer({ counts, reporters, registry, forwarding, live, page })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  return {
    url,
    counts,
    reporters,
    exports,
    forwarding,
    async exportMetrics(metrics: ResourceMetrics) {
      const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` })
      await succeed(done => exporter.export(metrics, done))
    },
    read: async (path: string) => (await fetch(url + path)).text(),
  }
}

const succeed = (run: (done: (result: ExportResult) => void) => void) =>
  new Promise<void>((resolve, reject) =>
    run(({ code, error }) => (code === ExportResultCode.SUCCESS ? resolve() : reject(error))),
  )
