import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { createComplaint } from '../lib/cli/complaint.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { TakeSpans } from './app-instance.ts'
import type { CollectorUrls } from './collector-urls.ts'
import type { ExportCounts } from './counts.ts'
import { exportOnce, hearExporters } from './export-once.ts'
import { SpanQueue } from './span-queue.ts'

const CLOSE_LIMIT_MS = 5000

interface CollectorOptions {
  /** URLs of an OTLP/HTTP collector. A signal without a URL is not exported. */
  readonly urls: CollectorUrls
  readonly intervalMs: number
  /** The present metrics, one element per resource. */
  collect(): readonly ResourceMetrics[]
}

/** Exports to a collector with OpenTelemetry's own exporters, which repeat an export after a temporary failure. */
export class CollectorExport {
  readonly metricPoints: ExportCounts = { exported: 0, dropped: 0 }
  readonly spans: ExportCounts
  /** Queues the spans of a frame. Their resource names the app instance. Undefined if spans are not exported. */
  readonly takeSpans: TakeSpans | undefined
  readonly #spans: SpanQueue | undefined
  readonly #metrics: OTLPMetricExporter
  readonly #metricsUrl: string | undefined
  readonly #complain = createComplaint()
  readonly #timer: NodeJS.Timeout
  readonly #collect: CollectorOptions['collect']
  #exporting: Promise<void> | undefined

  constructor({ urls, intervalMs, collect }: CollectorOptions) {
    const { traces, metrics } = urls
    hearExporters()
    this.#collect = collect
    const queue = traces
      ? new SpanQueue(new OTLPTraceExporter({ url: traces }), traces, CLOSE_LIMIT_MS)
      : undefined
    this.#spans = queue
    this.spans = queue?.counts ?? { exported: 0, dropped: 0 }
    this.takeSpans = queue && ((spans, settle) => queue.add(spans, settle))
    this.#metricsUrl = metrics
    this.#metrics = new OTLPMetricExporter(metrics ? { url: metrics } : {})
    this.#timer = setInterval(() => this.#exportMetrics(), intervalMs)
  }

  /** Exports the remaining data within five seconds, as far as possible. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const last = this.#exporting?.then(() => this.#exportMetrics()) ?? this.#exportMetrics()
    const limit = runningDelay(CLOSE_LIMIT_MS)
    await Promise.all([this.#spans?.close(), Promise.race([last, limit])])
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
    const url = this.#metricsUrl
    if (!url) return
    for (const metrics of this.#collect()) {
      const points = countPoints(metrics)
      if (points === 0) continue
      await exportOnce(this.#metrics, metrics, points, this.metricPoints, url, this.#complain)
    }
  }
}

const countPoints = ({ scopeMetrics }: ResourceMetrics): number =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)
