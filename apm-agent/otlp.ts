import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'

const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'otlp.proto'), 'utf8'))
const TraceRequest = root.lookupType('ExportTraceServiceRequest')
const MetricsRequest = root.lookupType('ExportMetricsServiceRequest')

interface TraceRequest {
  resourceSpans: { scopeSpans: { spans: Uint8Array[] }[] }[]
}

interface MetricsRequest {
  resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[]
}

/** One of the kinds of points is set; `data` is its name. */
type Metric = { data?: string } & Record<string, { dataPoints: Uint8Array[] } | undefined>

/** How many spans an ExportTraceServiceRequest holds. Throws when the bytes are none. */
export function countSpans(bytes: Uint8Array): number {
  const request = TraceRequest.decode(bytes) as unknown as TraceRequest
  return request.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .reduce((total, { spans }) => total + spans.length, 0)
}

/** How many metric points, of any kind, an ExportMetricsServiceRequest holds. Throws when the bytes are none. */
export function countMetricPoints(bytes: Uint8Array): number {
  const request = MetricsRequest.decode(bytes) as unknown as MetricsRequest
  return request.resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .reduce((total, metric) => total + (metric[metric.data ?? '']?.dataPoints.length ?? 0), 0)
}
