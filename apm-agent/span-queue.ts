import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { runningDelay } from '../lib/os/running-time.ts'
import { type Destination, exportOnce } from './export-once.ts'

/** The limit on waiting spans. Further spans are dropped and counted. */
const MAX_WAITING = 65_536
/** A batch is made of whole frames, until it has at least this number of spans. */
const BATCH_SPANS = 512
const INTERVAL_MS = 1000

/** The spans of one frame. */
interface Waiting {
  readonly spans: readonly ReadableSpan[]
  settle(): void
}

/**
 * Exports spans in batches, one at a time. OpenTelemetry's BatchSpanProcessor is not used: it does not report dropped
 * spans, and at its end it passes on all batches at once, of which its exporter accepts only thirty.
 */
export class SpanQueue {
  readonly #to: Destination<ReadableSpan[]>
  readonly #closeLimitMs: number
  readonly #timer: NodeJS.Timeout
  readonly #waiting: Waiting[] = []
  #waitingSpans = 0
  #draining: Promise<void> | undefined

  constructor(to: Destination<ReadableSpan[]>, closeLimitMs: number) {
    this.#to = to
    this.#closeLimitMs = closeLimitMs
    this.#timer = setInterval(() => this.#drain(), INTERVAL_MS).unref()
  }

  /** @param settle is called when the spans were exported or counted as dropped */
  add(spans: readonly ReadableSpan[], settle: () => void): void {
    const hasRoom = this.#waitingSpans + spans.length <= MAX_WAITING
    if (!hasRoom) this.#to.counts.dropped += spans.length
    if (!hasRoom || spans.length === 0) return settle()
    this.#waiting.push({ spans, settle })
    this.#waitingSpans += spans.length
    if (this.#waitingSpans >= BATCH_SPANS) this.#drain()
  }

  /**
   * Exports the remaining spans within the limit, as far as possible. The others are counted as dropped here, but they
   * are not settled: their app sends them to the next apm-agent.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([this.#drain(), runningDelay(this.#closeLimitMs)])
    this.#to.counts.dropped += this.#waitingSpans
    this.#waitingSpans = 0
    this.#waiting.length = 0
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#exportAll().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const frames = this.#takeBatch()
      const batch = frames.flatMap(({ spans }) => spans)
      await exportOnce(this.#to, batch, batch.length)
      for (const { settle } of frames) settle()
    }
  }

  #takeBatch(): Waiting[] {
    let frames = 0
    let spans = 0
    while (frames < this.#waiting.length && spans < BATCH_SPANS)
      spans += (this.#waiting[frames++] as Waiting).spans.length
    this.#waitingSpans -= spans
    return this.#waiting.splice(0, frames)
  }
}
