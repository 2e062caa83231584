import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { DurationHistogram } from './histogram.ts'
import type { MetricPoint } from './protocol.ts'
import { type SignalName, signals } from './signals.ts'

/** What an instance of the app has measured. */
export interface Measured {
  readonly firstSeenMs: number
  readonly serverDurations: DurationHistogram
  readonly clientDurations: DurationHistogram
  readonly gcDurations: DurationHistogram
  /** The last reading of each signal, by its name and attributes. */
  readonly points: ReadonlyMap<string, MetricPoint>
}

/** What an instance measured, as OpenTelemetry's exporters take it: cumulative since the instance was first seen. */
export function describeMetrics(instance: Measured): MetricData[] {
  const times = { startTime: millisToHrTime(instance.firstSeenMs), endTime: millisToHrTime(Date.now()) }
  const histograms = [
    describeHistogram(
      'http.server.request.duration',
      'Duration of HTTP server requests.',
      instance.serverDurations,
      times,
    ),
    describeHistogram(
      'http.client.request.duration',
      'Duration of HTTP client requests.',
      instance.clientDurations,
      times,
    ),
    describeHistogram(
      'v8js.gc.duration',
      'Garbage collection duration by kind.',
      instance.gcDurations,
      times,
    ),
  ]
  return [...histograms, ...describeSignals(instance, times)].filter(
    ({ dataPoints }) => dataPoints.length > 0,
  )
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function describeHistogram(
  name: string,
  description: string,
  { series }: DurationHistogram,
  times: Times,
): MetricData {
  const dataPoints = [...series].map(({ attributes, value }): DataPoint<Histogram> => {
    const { boundaries, counts } = value.buckets
    return { ...times, attributes, value: { ...value, buckets: { boundaries, counts: [...counts] } } }
  })
  return {
    descriptor: { name, description, unit: 's', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints,
  }
}

function describeSignals({ points }: Measured, times: Times): MetricData[] {
  const bySignal = Map.groupBy(points.values(), ({ signal }) => signal as SignalName)
  return [...bySignal].map(([name, readings]) => {
    const { type, unit, description } = signals[name]
    const common = {
      descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPoints: readings.map(({ value, attributes = {} }) => ({
        ...times,
        value,
        attributes: attributes as Attributes,
      })),
    }
    return type === 'gauge'
      ? { ...common, dataPointType: DataPointType.GAUGE }
      : { ...common, dataPointType: DataPointType.SUM, isMonotonic: type === 'counter' }
  })
}
