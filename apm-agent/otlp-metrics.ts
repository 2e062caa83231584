import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { type KeyValue, readerOf, toAttributes } from './otlp.ts'
import type { Scope } from './prometheus.ts'

/** A metric in the form of OpenTelemetry's exporters, without times: /metrics has none. */
export interface ScopedMetric {
  readonly scope: Scope
  readonly metric: MetricData
}

/** The received metrics of one resource. */
export interface ReceivedMetrics {
  readonly resource: Attributes
  /** Number of points of all kinds, even of kinds that are not shown. */
  readonly items: number
  /** Gauges, sums and histograms that are cumulative. */
  readonly metrics: readonly ScopedMetric[]
  /** The names of metrics that are not among them. */
  readonly notShown: readonly string[]
}

/**
 * The metrics in an ExportMetricsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export const decodeMetrics = (bytes: Uint8Array): ReceivedMetrics[] =>
  read(bytes).resourceMetrics.map(({ resource, scopeMetrics }) => {
    const all = scopeMetrics.flatMap(({ metrics }) => metrics)
    return {
      resource: toAttributes(resource?.attributes),
      items: all.reduce((total, metric) => total + pointsOf(metric).length, 0),
      metrics: scopeMetrics.flatMap(({ scope, schemaUrl, metrics }) =>
        metrics.filter(isShown).map(each => ({ scope: toScope(scope, schemaUrl), metric: toMetric(each) })),
      ),
      notShown: all.filter(metric => !isShown(metric)).map(({ name = '' }) => name),
    }
  })

interface ScopeMetrics {
  readonly scope?: { readonly name?: string; readonly version?: string; readonly attributes: KeyValue[] }
  readonly schemaUrl?: string
  readonly metrics: Metric[]
}

const read = readerOf<{
  resourceMetrics: { resource?: { attributes: KeyValue[] }; scopeMetrics: ScopeMetrics[] }[]
}>('ExportMetricsServiceRequest')

/** A number, or a histogram, which has `bucketCounts`. */
interface Point {
  readonly attributes: KeyValue[]
  readonly flags?: number
  readonly asDouble?: number
  readonly asInt?: number
  readonly count?: number
  readonly sum?: number
  readonly bucketCounts?: number[]
  readonly explicitBounds?: number[]
}

interface Data {
  readonly dataPoints: Point[]
  readonly aggregationTemporality?: number
  readonly isMonotonic?: boolean
}

interface Metric {
  readonly name?: string
  readonly description?: string
  readonly unit?: string
  /** The name of the field that is set. */
  readonly data?: string
  readonly gauge?: Data
  readonly sum?: Data
  readonly histogram?: Data
}

/** The value of AggregationTemporality in the protocol. */
const DELTA = 1
/** A bit of the flags of a point. */
const NO_RECORDED_VALUE = 1

const pointsOf = (metric: Metric): readonly Point[] =>
  (metric as Record<string, Data | undefined>)[metric.data ?? '']?.dataPoints ?? []

/** Whether /metrics can have a metric: a gauge, or a cumulative sum, or a cumulative histogram with buckets. */
function isShown({ sum, histogram, gauge }: Metric): boolean {
  if ((sum ?? histogram)?.aggregationTemporality === DELTA) return false
  const isWithoutBuckets = histogram?.dataPoints.some(point => !isValueless(point) && !isWhole(point))
  return Boolean(sum || histogram || gauge) && !isWithoutBuckets
}

const isValueless = ({ flags = 0 }: Point) => (flags & NO_RECORDED_VALUE) !== 0

const isWhole = ({ bucketCounts = [], explicitBounds = [] }: Point) =>
  bucketCounts.length === explicitBounds.length + 1

/** @param metric one that can be shown. Points that say that they have no value are left out. */
function toMetric(metric: Metric): MetricData {
  const { name = '', description = '', unit = '', gauge, sum } = metric
  const kind = sum
    ? { dataPointType: DataPointType.SUM, isMonotonic: sum.isMonotonic ?? false }
    : { dataPointType: gauge ? DataPointType.GAUGE : DataPointType.HISTOGRAM }
  return {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    ...kind,
    dataPoints: pointsOf(metric)
      .filter(point => !isValueless(point))
      .map(point => ({ ...NO_TIMES, attributes: toAttributes(point.attributes), value: recordedIn(point) })),
  } as MetricData
}

const NO_TIMES: Readonly<Record<'startTime' | 'endTime', HrTime>> = { startTime: [0, 0], endTime: [0, 0] }

function recordedIn({ asDouble, asInt = 0, count = 0, sum, bucketCounts, explicitBounds = [] }: Point) {
  if (!bucketCounts) return asDouble ?? asInt
  return {
    count,
    ...(sum !== undefined && { sum }),
    buckets: { boundaries: explicitBounds, counts: bucketCounts },
  }
}

function toScope(scope: ScopeMetrics['scope'], schemaUrl: string | undefined): Scope {
  const { name = '', version, attributes = [] } = scope ?? {}
  const others = attributes.length > 0 && { attributes: toAttributes(attributes) }
  return { name, ...(version && { version }), ...(schemaUrl && { schemaUrl }), ...others }
}
