import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import { createComplaint } from '../lib/complaint.ts'
import { runningDelay } from '../lib/running-time.ts'
import type { ExportCounts } from './counts.ts'
import { exportOnce } from './export-once.ts'

/** Spans that wait; past this they are dropped, and counted. */
const MAX_WAITING = 65_536
const BATCH_SPANS = 512
const INTERVAL_MS = 1000

/**
 * Exports spans in batches, one at a time. OpenTelemetry's BatchSpanProcessor does not say what it drops, and at its end
 * hands over all batches at once, of which its exporter takes thirty.
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

  /** @param url of the collector, for complaints */
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

  /** Exports what is left, as far as that goes within the limit; the rest is dropped. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([this.#drain(), runningDelay(this.#closeLimitMs)])
    this.counts.dropped += this.#waiting.length
    this.#waiting = []
    // It would wait, without a limit, for the export that was given up.
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
