import type { TestContext } from 'node:test'
import { ValueType } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { listen } from '../lib/http/listen.ts'
import { createAgent, createAgentServer } from './http-server.ts'
import { Live, readLivePage } from './live/live.ts'

export const times = { startTime: [1, 0], endTime: [2, 0] } as {
  startTime: [number, number]
  endTime: [number, number]
}

/** Metrics as an SDK in an app would export them. */
export const exported = (instance: string, value = 3): ResourceMetrics => ({
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

/** Starts the HTTP server of an agent, without a socket for records. */
export async function startAgentServer(t: TestContext, collectorUrl?: string) {
  const urls =
    collectorUrl === undefined
      ? {}
      : { traces: `${collectorUrl}/v1/traces`, metrics: `${collectorUrl}/v1/metrics` }
  const agent = createAgent(urls)
  const live = new Live({
    note: 'a test',
    deliveries: { of: () => ({ spans: 0, metricPoints: 0 }), readLines: () => null },
  })
  t.after(() => live.close())
  const server = createAgentServer({ ...agent, live, page: readLivePage() })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  return {
    url,
    ...agent,
    async exportMetrics(metrics: ResourceMetrics) {
      const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` })
      await succeed(done => exporter.export(metrics, done))
    },
    read: async (path: string) => (await fetch(url + path)).text(),
  }
}

/** Waits until an exporter has been answered. */
const succeed = (run: (done: (result: ExportResult) => void) => void) =>
  new Promise<void>((resolve, reject) =>
    run(({ code, error }) => (code === ExportResultCode.SUCCESS ? resolve() : reject(error))),
  )
