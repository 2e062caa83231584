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
import type { MetricPoint } from './metrics.ts'
import { type MetricName, metrics } from './metrics.ts'

/** Name and description of each histogram of durations. */
const histograms = {
  server: ['http.server.request.duration', 'Duration of HTTP server requests.'],
  client: ['http.client.request.duration', 'Duration of HTTP client requests.'],
  gc: ['v8js.gc.duration', 'Garbage collection duration by kind.'],
} as const

export const durationKinds = Object.keys(histograms) as (keyof typeof histograms)[]

/** The measurements of one instance of the app. */
export interface Measured {
  readonly firstSeenMs: number
  /** The time at which the process of the instance began, in milliseconds since the epoch. */
  readonly timeOriginMs: number
  readonly durations: Readonly<Record<keyof typeof histograms, DurationHistogram>>
  /** The last reading of each metric, by its name and attributes. */
  readonly points: ReadonlyMap<string, MetricPoint>
}

/**
 * The measurements of an instance in the form of OpenTelemetry's exporters, all cumulative. Histograms begin when this
 * process first saw the instance: after a restart of apm-agent they begin again, with a new start time. Readings are
 * counted by the instance itself, from the time at which it began.
 */
export function describeMetrics(instance: Measured): MetricData[] {
  const times = timesSince(instance.firstSeenMs)
  const durations = durationKinds.map(kind => describeHistogram(kind, instance.durations[kind], times))
  return [...durations, ...describeReadings(instance)].filter(({ dataPoints }) => dataPoints.length > 0)
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** The clock of the machine may be set back, and collectors refuse points that end before they begin. */
const timesSince = (startMs: number): Times => ({
  startTime: millisToHrTime(startMs),
  endTime: millisToHrTime(Math.max(Date.now(), startMs)),
})

function describeHistogram(
  kind: keyof typeof histograms,
  { series }: DurationHistogram,
  times: Times,
): MetricData {
  const [name, description] = histograms[kind]
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

function describeReadings({ points, timeOriginMs }: Measured): MetricData[] {
  const times = timesSince(timeOriginMs)
  const byMetric = Map.groupBy(points.values(), ({ metric }) => metric as MetricName)
  return [...byMetric].map(([name, readings]) => {
    const { type, unit, description } = metrics[name]
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
