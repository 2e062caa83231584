import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ValueType } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import { AppInstance } from './app-instance.ts'
import { exported, startAgentServer, times } from './http-server.fixture.ts'
import { OWN_SCOPE } from './metrics.ts'

describe('the agent over HTTP', () => {
  test('shows received OTLP metrics to Prometheus, separately for each instance', async t => {
    const { exportMetrics, read, counts } = await startAgentServer(t)
    await exportMetrics(exported('one'))
    await exportMetrics(exported('two'))
    await exportMetrics(exported('one', 4))
    assert.equal(counts.metricPoints.otlp, 6)
    const lines = (await read('/metrics')).split('\n')
    const tasks = lines.filter(line => line.includes('app_pool_tasks'))
    assert.deepEqual(tasks, [
      '# HELP app_pool_tasks_total Tasks',
      '# TYPE app_pool_tasks_total counter',
      'app_pool_tasks_total{app_pool_name="compute",otel_scope_name="test",service_name="app",service_instance_id="one"} 4',
      'app_pool_tasks_total{app_pool_name="compute",otel_scope_name="test",service_name="app",service_instance_id="two"} 3',
    ])
    const label =
      'http_route="/say \\"hi\\"\\n\\\\",otel_scope_name="test",service_name="app",service_instance_id="one"'
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
    const { read, reporters } = await startAgentServer(t)
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
    const samples = (await read('/metrics')).split('\n').filter(line => /^[a-z_]/.test(line))
    assert.deepEqual(
      samples.filter(line => !line.startsWith('apm_agent_')),
      [
        'target_info{_9="nine",service_instance_id="odd",a_b="1;2"} 1',
        'a_b{_1a="x",c_d="1;2",service_instance_id="odd"} 1',
        'c_total{service_instance_id="odd"} 1',
      ],
    )
    assert.equal(samples.filter(line => line.startsWith('apm_agent_connections')).length, 1)
    assert.deepEqual(mock.calls[0]?.arguments, [
      'warning: /metrics lacks a second a_b of a service without a name\n',
    ])
  })

  test('shows its own counts', async t => {
    const { read, counts } = await startAgentServer(t)
    counts.decodeErrors.version = 2
    const text = await read('/metrics')
    assert.match(text, /^apm_agent_decode_errors_total\{reason="version"\} 2$/m)
    assert.match(text, /^apm_agent_spans_received_total\{protocol="otlp"\} 0$/m)
    assert.match(text, /^apm_agent_spans_dropped_total 0$/m)
  })

  test('shows metrics under the names that Prometheus expects', async t => {
    const { read, reporters } = await startAgentServer(t)
    const hello = { resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 }
    reporters
      .find('records', hello.resource, () => new AppInstance(hello))
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
    const { url } = await startAgentServer(t)
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
    const { url } = await startAgentServer(t)
    const aborter = new AbortController()
    const { headers, body } = await fetch(`${url}/events?after=0`, { signal: aborter.signal })
    assert.equal(headers.get('content-type'), 'text/event-stream')
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
    aborter.abort()
    assert.match(
      Buffer.from(value as Uint8Array).toString(),
      /^data: {"kind":"hello","nowMs":\d+}\n\n(id: \d+\ndata: {"kind":"run","note":"a test"}\n\n)?$/,
    )
  })
})
