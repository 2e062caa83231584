import { ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { ExportCounts } from './counts.ts'

/** Spans that wait for the collector; past this they are dropped, and counted. */
const MAX_WAITING_SPANS = 65_536

/** Exports to an OTLP/HTTP collector by OpenTelemetry's own exporters, which try again what the collector cannot take. */
export class CollectorExport {
  readonly spans: ExportCounts = { exported: 0, dropped: 0 }
  readonly metricPoints: ExportCounts = { exported: 0, dropped: 0 }
  readonly #traces: BatchSpanProcessor
  readonly #metrics: OTLPMetricExporter
  readonly #timer: NodeJS.Timeout
  readonly #collect: () => readonly ResourceMetrics[]
  #waiting = 0
  #exporting: Promise<void> | undefined

  /** @param collect the metrics of now, a resource each */
  constructor(url: string, intervalMs: number, collect: () => readonly ResourceMetrics[]) {
    this.#collect = collect
    this.#traces = new BatchSpanProcessor(this.#counted(new OTLPTraceExporter({ url: `${url}/v1/traces` })), {
      maxQueueSize: MAX_WAITING_SPANS,
    })
    this.#metrics = new OTLPMetricExporter({ url: `${url}/v1/metrics` })
    this.#timer = setInterval(() => void this.#exportMetrics(), intervalMs)
  }

  /** Queues a span, whose resource says who it is from. */
  takeSpan = (span: ReadableSpan): void => {
    if (this.#waiting >= MAX_WAITING_SPANS) {
      this.spans.dropped++
      return
    }
    this.#waiting++
    this.#traces.onEnd(span)
  }

  /** Exports what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([
      this.#traces.shutdown(),
      this.#exporting?.then(() => this.#exportMetrics()) ?? this.#exportMetrics(),
    ])
    await this.#metrics.shutdown()
  }

  /** One export at a time: an interval that is shorter than the collector's patience adds no more. */
  async #exportMetrics(): Promise<void> {
    if (this.#exporting) return
    this.#exporting = this.#exportAll().finally(() => {
      this.#exporting = undefined
    })
    await this.#exporting
  }

  async #exportAll(): Promise<void> {
    for (const metrics of this.#collect()) {
      const points = countPoints(metrics)
      if (points === 0) continue
      const { code } = await new Promise<{ code: ExportResultCode }>(resolve =>
        this.#metrics.export(metrics, resolve),
      )
      this.metricPoints[code === ExportResultCode.SUCCESS ? 'exported' : 'dropped'] += points
    }
  }

  #counted(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, result => {
          this.#waiting -= spans.length
          this.spans[result.code === ExportResultCode.SUCCESS ? 'exported' : 'dropped'] += spans.length
          done(result)
        }),
      shutdown: () => exporter.shutdown(),
    }
  }
}

const countPoints = ({ scopeMetrics }: ResourceMetrics): number =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)
