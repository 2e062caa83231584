import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import { record } from '../lib/record.ts'
import { DurationHistogram } from './histogram.ts'
import { isMetricPoint, type MetricName, type MetricPoint, metrics } from './metrics.ts'

/** Name and description of each histogram of durations. */
const histograms = {
  server: ['http.server.request.duration', 'Duration of HTTP server requests.'],
  client: ['http.client.request.duration', 'Duration of HTTP client requests.'],
  gc: ['v8js.gc.duration', 'Garbage collection duration by kind.'],
} as const

const kinds = Object.keys(histograms) as (keyof typeof histograms)[]

/** The largest number of series of a metric. */
const MAX_POINTS = 2000

/**
 * The measurements of one process of the app, and their form for OpenTelemetry's exporters, which is cumulative. Histograms begin
 * when this process first saw the app: after a restart of apm-agent they begin again, with a new start time. Points are counted by
 * the app itself, from the time at which it began.
 */
export class Measurements {
  readonly durations = record(kinds, () => new DurationHistogram())
  readonly #firstSeenMs = Date.now()
  readonly #timeOriginMs: number
  /** The last reading of each metric, by its name and attributes. */
  readonly #points = new Map<string, MetricPoint>()

  /** @param timeOriginMs the time at which the app began, in milliseconds since the epoch */
  constructor(timeOriginMs: number) {
    this.#timeOriginMs = timeOriginMs
  }

  /** @returns the number of valid points of known metrics */
  takePoints(points: readonly unknown[]): number {
    const known = points.filter(isMetricPoint).filter(({ metric }) => Object.hasOwn(metrics, metric))
    for (const point of known) {
      const key = `${point.metric} ${JSON.stringify(point.attributes ?? {})}`
      if (this.#points.has(key) || this.#points.size < MAX_POINTS) this.#points.set(key, point)
    }
    return known.length
  }

  describe(): MetricData[] {
    const times = timesSince(this.#firstSeenMs)
    const durations = kinds.map(kind => describeHistogram(kind, this.durations[kind], times))
    const readings = describeReadings(this.#points.values(), timesSince(this.#timeOriginMs))
    return [...durations, ...readings].filter(({ dataPoints }) => dataPoints.length > 0)
  }
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

function describeReadings(points: Iterable<MetricPoint>, times: Times): MetricData[] {
  const byMetric = Map.groupBy(points, ({ metric }) => metric as MetricName)
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
