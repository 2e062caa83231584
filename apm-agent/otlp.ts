import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import protobuf from 'protobufjs'
import { decodeBounded } from './bounded-decode.ts'

const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'otlp.proto'), 'utf8'))
const TraceRequest = root.lookupType('ExportTraceServiceRequest')
const LogsRequest = root.lookupType('ExportLogsServiceRequest')
const MetricsRequest = root.lookupType('ExportMetricsServiceRequest')
const ExportResponse = root.lookupType('ExportResponse')

/**
 * The number of spans of each resource in an ExportTraceServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function countSpans(bytes: Uint8Array): { resource: Attributes; items: number }[] {
  const { resourceSpans } = toObject(TraceRequest, bytes) as {
    resourceSpans: { resource?: { attributes: KeyValue[] }; scopeSpans: { spans: unknown[] }[] }[]
  }
  return resourceSpans.map(({ resource, scopeSpans }) => ({
    resource: toAttributes(resource?.attributes ?? []),
    items: scopeSpans.reduce((total, { spans }) => total + spans.length, 0),
  }))
}

/**
 * The number of records in an ExportLogsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function countLogRecords(bytes: Uint8Array): number {
  const { resourceLogs } = toObject(LogsRequest, bytes) as {
    resourceLogs: { scopeLogs: { logRecords: unknown[] }[] }[]
  }
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs)
    .reduce((total, { logRecords }) => total + logRecords.length, 0)
}

/**
 * What the answer of a collector says of a success that is not whole: the number of items that it has rejected, and why. An answer that
 * is no such message says nothing.
 */
export function readPartialSuccess(answer: Uint8Array): { rejected: number; message: string } {
  try {
    const { partialSuccess } = toObject(ExportResponse, answer) as {
      partialSuccess?: { rejected?: string; errorMessage?: string }
    }
    const rejected = Math.max(0, Number(partialSuccess?.rejected ?? 0))
    return { rejected, message: partialSuccess?.errorMessage ?? '' }
  } catch {
    return { rejected: 0, message: '' }
  }
}

/** An instrumentation scope, in the form of OpenTelemetry's exporters. */
export interface Scope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
  readonly attributes?: Attributes
}

/** A metric with its points that have a value, and the attributes of those that say that they have none. */
export interface ReceivedMetric {
  readonly metric: MetricData
  readonly valueless: readonly Attributes[]
}

/** The received metrics of one resource. */
export interface ReceivedMetrics {
  readonly resource: Attributes
  /** Number of points of all kinds, even of kinds that are not shown. */
  readonly items: number
  /** Gauges, sums and histograms that are cumulative. */
  readonly scopes: readonly { readonly scope: Scope; readonly metrics: readonly ReceivedMetric[] }[]
  /** Metrics that are not among them, and what they are instead. */
  readonly notShown: readonly { readonly name: string; readonly why: string }[]
}

/**
 * The metrics in an ExportMetricsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function decodeMetrics(bytes: Uint8Array): ReceivedMetrics[] {
  const { resourceMetrics } = toObject(MetricsRequest, bytes) as {
    resourceMetrics: { resource?: { attributes: KeyValue[] }; scopeMetrics: ScopeMetrics[] }[]
  }
  return resourceMetrics.map(({ resource, scopeMetrics }) => {
    const metrics = scopeMetrics.flatMap(({ metrics }) => metrics)
    return {
      resource: toAttributes(resource?.attributes ?? []),
      items: metrics.reduce((total, metric) => total + pointsOf(metric).length, 0),
      scopes: scopeMetrics.map(({ scope, schemaUrl, metrics }) => ({
        scope: toScope(scope, schemaUrl),
        metrics: metrics.filter(metric => !whyNotShown(metric)).map(toReceived),
      })),
      notShown: metrics.flatMap(metric => {
        const why = whyNotShown(metric)
        return why ? [{ name: metric.name ?? '', why }] : []
      }),
    }
  })
}

/** Numbers of 64 bits are texts: one may be above those that JavaScript knows exactly. Bytes are texts in base64. */
const toObject = (type: protobuf.Type, bytes: Uint8Array) =>
  type.toObject(decodeBounded(type, bytes), { arrays: true, oneofs: true, longs: String, bytes: String })

interface ScopeMetrics {
  readonly scope?: { readonly name?: string; readonly version?: string; readonly attributes: KeyValue[] }
  readonly schemaUrl?: string
  readonly metrics: Metric[]
}

interface KeyValue {
  readonly key?: string
  readonly value?: AnyValue
}

/** `value` names the field that is set. */
interface AnyValue extends Readonly<Record<string, unknown>> {
  readonly value?: string
}

interface Point {
  readonly startTimeUnixNano?: string
  readonly timeUnixNano?: string
  readonly attributes: KeyValue[]
  readonly flags?: number
}

interface NumberPoint extends Point {
  readonly asDouble?: number
  readonly asInt?: string
}

interface HistogramPoint extends Point {
  readonly count?: string
  readonly sum?: number
  readonly min?: number
  readonly max?: number
  readonly bucketCounts: string[]
  readonly explicitBounds: number[]
}

interface Data<P> {
  readonly dataPoints: P[]
  readonly aggregationTemporality?: number
  readonly isMonotonic?: boolean
}

interface Metric {
  readonly name?: string
  readonly description?: string
  readonly unit?: string
  /** The name of the field that is set. */
  readonly data?: string
  readonly gauge?: Data<NumberPoint>
  readonly sum?: Data<NumberPoint>
  readonly histogram?: Data<HistogramPoint>
}

/** The value of AggregationTemporality in the protocol. */
const DELTA = 1
/** A bit of the flags of a point. */
const NO_RECORDED_VALUE = 1

const pointsOf = (metric: Metric): readonly Point[] =>
  (metric as Record<string, Data<Point> | undefined>)[metric.data ?? '']?.dataPoints ?? []

/** What a metric is that /metrics cannot have; undefined if it can. */
function whyNotShown(metric: Metric): string | undefined {
  const { sum, histogram, gauge } = metric
  if ((sum ?? histogram)?.aggregationTemporality === DELTA)
    return 'a delta (set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative)'
  if (histogram?.dataPoints.some(point => !isValueless(point) && !isWhole(point)))
    return 'a histogram without buckets'
  if (sum || histogram || gauge) return undefined
  return metric.data === 'summary' ? 'a summary' : 'an exponential histogram'
}

const isValueless = ({ flags = 0 }: Point) => (flags & NO_RECORDED_VALUE) !== 0

const isWhole = ({ bucketCounts, explicitBounds }: HistogramPoint) =>
  bucketCounts.length === explicitBounds.length + 1

function toReceived(metric: Metric): ReceivedMetric {
  const { name = '', description = '', unit = '', gauge, sum, histogram } = metric
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const valueless = pointsOf(metric)
    .filter(isValueless)
    .map(({ attributes }) => toAttributes(attributes))
  const pointsIn = <P extends Point>(data: Data<P>) => data.dataPoints.filter(point => !isValueless(point))
  if (histogram)
    return {
      valueless,
      metric: {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: pointsIn(histogram).map(toHistogram),
      },
    }
  const dataPoints = pointsIn((gauge ?? sum) as Data<NumberPoint>).map(toNumber)
  return {
    valueless,
    metric: gauge
      ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
      : { ...common, dataPointType: DataPointType.SUM, isMonotonic: sum?.isMonotonic ?? false, dataPoints },
  }
}

const toNumber = (point: NumberPoint) => ({
  ...describePoint(point),
  // A BigInt is printed in full, and nothing else is done with these values.
  value: point.asDouble ?? (exact(point.asInt ?? '0', BigInt) as number),
})

function toHistogram({ count, sum, min, max, bucketCounts, explicitBounds, ...point }: HistogramPoint) {
  const value = {
    count: Number(count ?? 0),
    ...(sum !== undefined && { sum }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    buckets: { boundaries: explicitBounds, counts: bucketCounts.map(Number) },
  }
  return { ...describePoint(point), value }
}

const describePoint = ({ startTimeUnixNano, timeUnixNano, attributes }: Point) => ({
  startTime: toHrTime(startTimeUnixNano),
  endTime: toHrTime(timeUnixNano),
  attributes: toAttributes(attributes),
})

const toHrTime = (nanos = '0'): HrTime => [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]

function toScope(scope: ScopeMetrics['scope'], schemaUrl: string | undefined): Scope {
  const { name = '', version, attributes = [] } = scope ?? {}
  const others = attributes.length > 0 && { attributes: toAttributes(attributes) }
  return { name, ...(version && { version }), ...(schemaUrl && { schemaUrl }), ...others }
}

const toAttributes = (pairs: KeyValue[]): Attributes =>
  Object.fromEntries(pairs.map(({ key = '', value }) => [key, toValue(value) as string]))

function toValue(any: AnyValue | undefined): unknown {
  const value = any?.[any.value ?? '']
  if (any?.value === 'intValue') return exact(value as string, String)
  if (any?.value === 'arrayValue') return (value as { values: AnyValue[] }).values.map(toValue)
  if (any?.value === 'kvlistValue') return toAttributes((value as { values: KeyValue[] }).values)
  return value
}

/** A number, or what `otherwise` makes of one that JavaScript does not know exactly. */
function exact<Other>(digits: string, otherwise: (digits: string) => Other): number | Other {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : otherwise(digits)
}
