import type { Meter, Observable } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { BatchSpanProcessor, SpanExporter } from '@opentelemetry/sdk-trace'
import { type MetricPoint, metrics } from '../../apm-agent/metrics.ts'
import type { Signal, SignalCounts } from '../../lib/processes/protocol.ts'

type Emitted = Pick<SignalCounts, 'emitted' | 'dropped'>

/** Reads the numbers of spans and metric points that were emitted and lost so far. */
export type ReadTelemetryCounts = () => Readonly<Record<Exclude<Signal, 'logLines'>, Emitted>>

/** Adds a reader of metrics of our own. It is called whenever metrics are read. */
export type Watch = (read: () => Promise<readonly MetricPoint[]>) => void

/** Reads the numbers of log lines at an enabled level so far. */
export type ReadLineCounts = () => Emitted

/** The numbers of log lines. A sink that counts them itself may lose some, or get some from threads. */
export const countLines = (sink: object, sequence: number): Emitted =>
  (sink as { counts?(): Emitted }).counts?.() ?? { emitted: sequence, dropped: 0 }

let counts = { emitted: 0, delivered: 0, emittedPoints: 0, deliveredPoints: 0 }

/**
 * Counts, by functions that replace those of these objects, the sampled spans that end, before the queue that may drop some of
 * them, and what the receiver has acknowledged.
 */
export function countExports(
  spans: BatchSpanProcessor,
  spanExporter: SpanExporter,
  metricExporter: PushMetricExporter,
): void {
  const counted = { emitted: 0, delivered: 0, emittedPoints: 0, deliveredPoints: 0 }
  counts = counted
  const onEnd = spans.onEnd.bind(spans)
  spans.onEnd = span => {
    counted.emitted++
    onEnd(span)
  }
  const exportSpans = spanExporter.export.bind(spanExporter)
  spanExporter.export = (spans, done) =>
    exportSpans(spans, result => {
      if (result.code === ExportResultCode.SUCCESS) counted.delivered += spans.length
      done(result)
    })
  const exportMetrics = metricExporter.export.bind(metricExporter)
  metricExporter.export = (metrics, done) => {
    const points = countPoints(metrics)
    counted.emittedPoints += points
    exportMetrics(metrics, result => {
      if (result.code === ExportResultCode.SUCCESS) counted.deliveredPoints += points
      done(result)
    })
  }
}

/** The counts of the exporters that were started last. */
export const readExportCounts: ReadTelemetryCounts = () => ({
  spans: { emitted: counts.emitted, dropped: counts.emitted - counts.delivered },
  metricPoints: { emitted: counts.emittedPoints, dropped: counts.emittedPoints - counts.deliveredPoints },
})

const countPoints = ({ scopeMetrics }: ResourceMetrics) =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)

/** Makes instruments of our own metrics, which the SDK reads when it exports. */
export const watchWith =
  (meter: Meter): Watch =>
  read => {
    const create = {
      gauge: meter.createObservableGauge,
      counter: meter.createObservableCounter,
      upDownCounter: meter.createObservableUpDownCounter,
    }
    const own = Object.entries(metrics).filter(([name]) => name.startsWith('app.'))
    const instruments = new Map(
      own.map(([name, { type, ...options }]) => [name, create[type].call(meter, name, options)]),
    )
    meter.addBatchObservableCallback(
      async result => {
        for (const { metric, value, attributes } of await read())
          result.observe(instruments.get(metric) as Observable, value, attributes)
      },
      [...instruments.values()],
    )
  }
