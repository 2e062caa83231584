import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { createComplaint } from '../lib/complaint.ts'
import { runningDelay } from '../lib/running-time.ts'
import type { ExportCounts } from './counts.ts'
import { exportOnce } from './export-once.ts'
import { SpanQueue } from './span-queue.ts'

const CLOSE_LIMIT_MS = 5000

interface CollectorOptions {
  /** Base URL of an OTLP/HTTP collector. */
  readonly url: string
  readonly intervalMs: number
  /** The present metrics, one element per resource. */
  collect(): readonly ResourceMetrics[]
}

/** Exports to a collector with OpenTelemetry's own exporters, which repeat an export after a temporary failure. */
export class CollectorExport {
  readonly metricPoints: ExportCounts = { exported: 0, dropped: 0 }
  readonly #spans: SpanQueue
  readonly #metrics: OTLPMetricExporter
  readonly #metricsUrl: string
  readonly #complain = createComplaint()
  readonly #timer: NodeJS.Timeout
  readonly #collect: CollectorOptions['collect']
  #exporting: Promise<void> | undefined

  constructor({ url, intervalMs, collect }: CollectorOptions) {
    this.#collect = collect
    const tracesUrl = `${url}/v1/traces`
    this.#metricsUrl = `${url}/v1/metrics`
    this.#spans = new SpanQueue(new OTLPTraceExporter({ url: tracesUrl }), tracesUrl, CLOSE_LIMIT_MS)
    this.#metrics = new OTLPMetricExporter({ url: this.#metricsUrl })
    this.#timer = setInterval(() => this.#exportMetrics(), intervalMs)
  }

  get spans(): ExportCounts {
    return this.#spans.counts
  }

  /** Queues a span. Its resource names the app instance. */
  takeSpan = (span: ReadableSpan): void => this.#spans.add(span)

  /** Exports the remaining data within five seconds, as far as possible. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const last = this.#exporting?.then(() => this.#exportMetrics()) ?? this.#exportMetrics()
    const limit = runningDelay(CLOSE_LIMIT_MS)
    await Promise.all([this.#spans.close(), Promise.race([last, limit])])
    this.#metrics.shutdown().catch(() => {})
  }

  /** Runs one export at a time, so that a short interval adds no load while the collector is slow. */
  #exportMetrics(): Promise<void> {
    this.#exporting ??= this.#exportAll().finally(() => {
      this.#exporting = undefined
    })
    return this.#exporting
  }

  async #exportAll(): Promise<void> {
    for (const metrics of this.#collect()) {
      const points = countPoints(metrics)
      if (points === 0) continue
      const taken = await exportOnce(this.#metrics, metrics, this.#metricsUrl, this.#complain)
      this.metricPoints[taken ? 'exported' : 'dropped'] += points
    }
  }
}

const countPoints = ({ scopeMetrics }: ResourceMetrics): number =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)
