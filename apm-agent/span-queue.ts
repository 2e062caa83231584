import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { createComplaint } from '../lib/complaint.ts'
import { runningDelay } from '../lib/running-time.ts'
import type { ExportCounts } from './counts.ts'
import { exportOnce } from './export-once.ts'

/** The limit on waiting spans. Further spans are dropped and counted. */
const MAX_WAITING = 65_536
const BATCH_SPANS = 512
const INTERVAL_MS = 1000

/**
 * Exports spans in batches, one at a time. OpenTelemetry's BatchSpanProcessor is not used: it does not report dropped
 * spans, and at its end it passes on all batches at once, of which its exporter accepts only thirty.
 */
export class SpanQueue {
  readonly counts: ExportCounts = { exported: 0, dropped: 0 }
  readonly #exporter: SpanExporter
  readonly #url: string
  readonly #complain = createComplaint()
  readonly #closeLimitMs: number
  readonly #timer: NodeJS.Timeout
  #waiting: ReadableSpan[] = []
  #draining: Promise<void> | undefined

  /** @param url the URL of the collector, for messages */
  constructor(exporter: SpanExporter, url: string, closeLimitMs: number) {
    this.#exporter = exporter
    this.#url = url
    this.#closeLimitMs = closeLimitMs
    this.#timer = setInterval(() => this.#drain(), INTERVAL_MS).unref()
  }

  add(span: ReadableSpan): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.counts.dropped++
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= BATCH_SPANS) this.#drain()
  }

  /** Exports the remaining spans within the limit, as far as possible; the others are dropped. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([this.#drain(), runningDelay(this.#closeLimitMs)])
    this.counts.dropped += this.#waiting.length
    this.#waiting = []
    // `shutdown` is not awaited, because it would wait without a limit for the export that was given up.
    this.#exporter.shutdown().catch(() => {})
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#exportAll().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_SPANS)
      const taken = await exportOnce(this.#exporter, batch, this.#url, this.#complain)
      this.counts[taken ? 'exported' : 'dropped'] += batch.length
    }
  }
}
