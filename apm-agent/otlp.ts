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

/**
 * The number of spans of each resource in an ExportTraceServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function countSpans(bytes: Uint8Array): { resource: Attributes; spans: number }[] {
  const { resourceSpans } = TraceRequest.toObject(decodeBounded(TraceRequest, bytes), {
    arrays: true,
    oneofs: true,
  }) as { resourceSpans: { resource?: { attributes: KeyValue[] }; scopeSpans: { spans: Uint8Array[] }[] }[] }
  return resourceSpans.map(({ resource, scopeSpans }) => ({
    resource: toAttributes(resource?.attributes ?? []),
    spans: scopeSpans.reduce((total, { spans }) => total + spans.length, 0),
  }))
}

/**
 * The number of records in an ExportLogsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function countLogRecords(bytes: Uint8Array): number {
  const { resourceLogs } = LogsRequest.toObject(decodeBounded(LogsRequest, bytes), { arrays: true }) as {
    resourceLogs: { scopeLogs: { logRecords: Uint8Array[] }[] }[]
  }
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs)
    .reduce((total, { logRecords }) => total + logRecords.length, 0)
}

/** The received metrics of one resource. */
export interface ReceivedMetrics {
  readonly resource: Attributes
  /** Number of points of all kinds, even of kinds that are not shown. */
  readonly points: number
  /** Gauges, sums and histograms that are cumulative. */
  readonly metrics: readonly MetricData[]
}

/**
 * The metrics in an ExportMetricsServiceRequest.
 * @throws when the bytes are not such a request, or have too many fields
 */
export function decodeMetrics(bytes: Uint8Array): ReceivedMetrics[] {
  const { resourceMetrics } = MetricsRequest.toObject(decodeBounded(MetricsRequest, bytes), {
    arrays: true,
    longs: Number,
    oneofs: true,
  }) as {
    resourceMetrics: { resource?: { attributes: KeyValue[] }; scopeMetrics: { metrics: Metric[] }[] }[]
  }
  return resourceMetrics.map(({ resource, scopeMetrics }) => {
    const received = scopeMetrics.flatMap(({ metrics }) => metrics)
    return {
      resource: toAttributes(resource?.attributes ?? []),
      points: received.reduce((total, metric) => total + pointsOf(metric).length, 0),
      metrics: received.flatMap(metric => toMetricData(metric) ?? []),
    }
  })
}

interface KeyValue {
  readonly key: string
  readonly value?: { readonly value?: string } & Readonly<Record<string, unknown>>
}

interface Point {
  readonly startTimeUnixNano: number
  readonly timeUnixNano: number
  readonly attributes: KeyValue[]
}

interface NumberPoint extends Point {
  readonly asDouble?: number
  readonly asInt?: number
}

interface HistogramPoint extends Point {
  readonly count: number
  readonly sum?: number
  readonly min?: number
  readonly max?: number
  readonly bucketCounts: number[]
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

const pointsOf = (metric: Metric): readonly unknown[] =>
  (metric as Record<string, Data<unknown> | undefined>)[metric.data ?? '']?.dataPoints ?? []

function toMetricData(metric: Metric): MetricData | undefined {
  const { name = '', description = '', unit = '', gauge, sum, histogram } = metric
  if ((sum ?? histogram)?.aggregationTemporality === DELTA) return undefined
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // A histogram without bounds, or with counts that do not match them, contains only a sum.
  const isWhole = ({ bucketCounts, explicitBounds }: HistogramPoint) =>
    bucketCounts.length === explicitBounds.length + 1
  if (histogram)
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogram.dataPoints.filter(isWhole).map(toHistogram),
    }
  if (gauge)
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: gauge.dataPoints.map(toNumber) }
  return (
    sum && {
      ...common,
      dataPointType: DataPointType.SUM,
      isMonotonic: sum.isMonotonic ?? false,
      dataPoints: sum.dataPoints.map(toNumber),
    }
  )
}

const toNumber = (point: NumberPoint) => ({
  ...describePoint(point),
  value: point.asDouble ?? point.asInt ?? 0,
})

function toHistogram({ count, sum, min, max, bucketCounts, explicitBounds, ...point }: HistogramPoint) {
  const value = {
    count,
    ...(sum !== undefined && { sum }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    buckets: { boundaries: explicitBounds, counts: bucketCounts },
  }
  return { ...describePoint(point), value }
}

const describePoint = ({ startTimeUnixNano, timeUnixNano, attributes }: Point) => ({
  startTime: toHrTime(startTimeUnixNano),
  endTime: toHrTime(timeUnixNano),
  attributes: toAttributes(attributes),
})

const toHrTime = (nanos = 0): HrTime => [Math.floor(nanos / 1e9), nanos % 1e9]

const toAttributes = (pairs: KeyValue[]): Attributes =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value?.[value.value ?? ''] as string]))
