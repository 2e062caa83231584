import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { printable } from '../lib/cli/terminal.ts'
import { otlpUrl, type Signal, withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import { createOtlpExporter } from '../lib/telemetry/otlp-exporter.ts'
import type { SpanExport } from './app-instance.ts'
import { ExportQueue, type Outcomes } from './export-queue.ts'
import { describeSpan } from './span.ts'

const CLOSE_LIMIT_MS = 5000
const BATCH_SPANS = 512
const MAX_SPANS = 65_536
const SPANS_INTERVAL_MS = 1000

/** The outcomes of all exports of a process, its own and those that it passes on. */
export type ExportCounts = Readonly<Record<Signal, Outcomes>>

export const noExports = (): ExportCounts => ({
  traces: { exported: 0, dropped: 0 },
  metrics: { exported: 0, dropped: 0 },
  logs: { exported: 0, dropped: 0 },
})

interface CollectorOptions {
  /** URLs of an OTLP/HTTP collector. A signal without a URL is not exported. */
  readonly urls: CollectorUrls
  readonly counts: ExportCounts
  /** How often metrics are exported. */
  readonly intervalMs: number
  /** The present metrics, one element per resource. */
  collect(): readonly ResourceMetrics[]
}

/** Exports what is made of records to a collector. */
export class CollectorExport {
  /** Queues the spans of a frame. Their resource names the app instance. Undefined if spans are not exported. */
  readonly spans: SpanExport | undefined
  readonly #spans: ExportQueue<ReadableSpan> | undefined
  readonly #metrics: ExportQueue<ResourceMetrics> | undefined
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #collect: CollectorOptions['collect']

  constructor({ urls: { traces, metrics }, counts, intervalMs, collect }: CollectorOptions) {
    this.#collect = collect
    if (traces) {
      const send = createOtlpExporter('traces', traces)
      const queue = new ExportQueue<ReadableSpan>({
        url: traces,
        outcomes: counts.traces,
        batchItems: BATCH_SPANS,
        maxItems: MAX_SPANS,
        send,
      })
      this.#spans = queue
      this.spans = {
        describe: describeSpan,
        take: (parts, settle) => queue.add({ parts, count: parts.length, settle }),
      }
    }
    if (metrics) {
      const send = createOtlpExporter('metrics', metrics)
      this.#metrics = new ExportQueue({
        url: metrics,
        outcomes: counts.metrics,
        batchItems: 1,
        maxItems: Number.POSITIVE_INFINITY,
        send: ([one]) => send(one as ResourceMetrics),
      })
    }
    this.#timers = [
      setInterval(() => void this.#spans?.drain(), SPANS_INTERVAL_MS).unref(),
      setInterval(() => this.#addMetrics(), intervalMs),
    ]
  }

  /** Exports the remaining data within five seconds, as far as possible. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#addMetrics(true)
    await Promise.all([this.#spans?.close(CLOSE_LIMIT_MS), this.#metrics?.close(CLOSE_LIMIT_MS)])
  }

  /** A short interval adds no load while the collector is slow. @param isLast whether no later metrics say the same */
  #addMetrics(isLast = false): void {
    if (!this.#metrics || !(this.#metrics.isIdle || isLast)) return
    for (const metrics of this.#collect())
      this.#metrics.add({ parts: [metrics], count: countPoints(metrics) })
  }
}

const countPoints = ({ scopeMetrics }: ResourceMetrics): number =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The URLs of the collector by signal; undefined for a signal that is not exported. */
export type CollectorUrls = Readonly<Partial<Record<Signal, string | undefined>>>

/**
 * Reads where the collector is: from the option, or from the environment. A URL that leads to apm-agent itself is
 * ignored with a line on stderr, because a shell may name this receiver for other programs.
 * @param host and `port`: the address on which apm-agent listens
 */
export function readCollectorUrls(baseUrl: string | undefined, host: string, port: number): CollectorUrls {
  const read = (signal: Signal) => {
    const url = otlpUrl(signal, baseUrl)
    if (!url || !isOwn(url, host, port)) return url
    process.stderr.write(
      `warning: ${printable(withoutCredentials(url))} is apm-agent itself, so ${signal} are not exported there\n`,
    )
    return undefined
  }
  return { traces: read('traces'), metrics: read('metrics'), logs: read('logs') }
}

function isOwn(url: string, host: string, port: number): boolean {
  const named = URL.parse(url)
  return named?.port === String(port) && [...LOOPBACK, host].includes(named.hostname)
}
