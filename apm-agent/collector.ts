import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { createComplaint } from '../lib/cli/terminal.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { Signal } from '../lib/telemetry/otel-environment.ts'
import { createOtlpExporter } from '../lib/telemetry/otlp-exporter.ts'
import type { TakeSpans } from './app-instance.ts'
import type { CollectorUrls } from './collector-urls.ts'
import { type Destination, exportOnce } from './export-once.ts'
import { SpanQueue } from './span-queue.ts'

const CLOSE_LIMIT_MS = 5000

interface CollectorOptions {
  /** URLs of an OTLP/HTTP collector. A signal without a URL is not exported. */
  readonly urls: CollectorUrls
  readonly intervalMs: number
  /** The present metrics, one element per resource. */
  collect(): readonly ResourceMetrics[]
}

/** Exports what is made of records to a collector. */
export class CollectorExport {
  readonly metricPoints = { exported: 0, dropped: 0 }
  readonly spans = { exported: 0, dropped: 0 }
  /** Queues the spans of a frame. Their resource names the app instance. Undefined if spans are not exported. */
  readonly takeSpans: TakeSpans | undefined
  readonly #spans: SpanQueue | undefined
  readonly #metrics: Destination<ResourceMetrics> | undefined
  readonly #timer: NodeJS.Timeout
  readonly #collect: CollectorOptions['collect']
  #exporting: Promise<void> | undefined

  constructor({ urls, intervalMs, collect }: CollectorOptions) {
    const destination = <S extends Signal>(signal: S, counts: Destination<never>['counts']) => {
      const url = urls[signal]
      return url
        ? { url, counts, export: createOtlpExporter(signal, url), complain: createComplaint() }
        : undefined
    }
    this.#collect = collect
    const traces = destination('traces', this.spans)
    const queue = traces && new SpanQueue(traces, CLOSE_LIMIT_MS)
    this.#spans = queue
    this.takeSpans = queue && ((spans, settle) => queue.add(spans, settle))
    this.#metrics = destination('metrics', this.metricPoints)
    this.#timer = setInterval(() => this.#exportMetrics(), intervalMs)
  }

  /** Exports the remaining data within five seconds, as far as possible. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const last = this.#exporting?.then(() => this.#exportMetrics()) ?? this.#exportMetrics()
    await Promise.all([this.#spans?.close(), Promise.race([last, runningDelay(CLOSE_LIMIT_MS)])])
  }

  /** Runs one export at a time, so that a short interval adds no load while the collector is slow. */
  #exportMetrics(): Promise<void> {
    this.#exporting ??= this.#exportAll().finally(() => {
      this.#exporting = undefined
    })
    return this.#exporting
  }

  async #exportAll(): Promise<void> {
    if (!this.#metrics) return
    for (const metrics of this.#collect()) {
      const points = countPoints(metrics)
      if (points > 0) await exportOnce(this.#metrics, metrics, points)
    }
  }
}

const countPoints = ({ scopeMetrics }: ResourceMetrics): number =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)
