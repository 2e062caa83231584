import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/cli/complaint.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { ExportCounts } from './counts.ts'
import { type Destination, sendBody } from './send-body.ts'

/** The limit on the memory of waiting bodies. Beyond it a body is refused. */
const MAX_WAITING_BYTES = 16 * 2 ** 20
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/**
 * This many attempts take about a minute. The limit counts attempts instead of time, so that a pause of this process or
 * a step of the clock does not give up a body.
 */
const MAX_ATTEMPTS = 16
const CLOSE_LIMIT_MS = 5000

interface ForwardOptions extends Destination {
  /** The counts of the items of these bodies: spans, or metric points. */
  readonly counts: ExportCounts
}

interface Waiting {
  readonly body: Uint8Array<ArrayBuffer>
  readonly items: number
}

/**
 * Forwards OTLP bodies to a collector unchanged, one after the other. The senders of the bodies do not wait for the
 * collector. If the collector answers with 5xx, 408 or 429, or not at all, this queue sends the body again. Any other
 * refusal drops the body. Items of accepted and of dropped bodies are counted.
 */
export class ForwardQueue {
  readonly #options: ForwardOptions
  readonly #complain = createComplaint()
  readonly #closing = new AbortController()
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #sending: Promise<void> | undefined

  constructor(options: ForwardOptions) {
    this.#options = options
  }

  /** Tells whether a body of this size fits into the queue. An empty queue accepts any size. */
  hasRoom(sizeBytes: number): boolean {
    return this.#waiting.length === 0 || this.#waitingBytes + sizeBytes <= MAX_WAITING_BYTES
  }

  /** Adds a body to the queue. @param items the number of spans or metric points in the body */
  add(body: Buffer, items: number): void {
    this.#waiting.push({ body: new Uint8Array(body), items })
    this.#waitingBytes += body.length
    this.#sending ??= this.#sendAll()
  }

  /**
   * Sends the remaining bodies for at most `limitMs` milliseconds. Bodies that are left then are dropped and counted.
   */
  async close(limitMs = CLOSE_LIMIT_MS): Promise<void> {
    await Promise.race([this.#sending, runningDelay(limitMs)])
    this.#closing.abort()
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    const { counts } = this.#options
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      counts[(await this.#deliver(first.body)) ? 'exported' : 'dropped'] += first.items
      this.#waiting.shift()
      this.#waitingBytes -= first.body.length
    }
    this.#sending = undefined
  }

  async #deliver(body: Waiting['body']): Promise<boolean> {
    const { signal } = this.#closing
    let pauseMs = FIRST_PAUSE_MS
    for (let attempt = 1; !signal.aborted; attempt++) {
      const outcome = await sendBody(this.#options, body, signal)
      if (outcome.kind === 'taken') return true
      const isLast = outcome.kind === 'refused' || signal.aborted || attempt === MAX_ATTEMPTS
      this.#complain(
        `apm-agent: ${this.#options.url} ${outcome.why}; what it was sent is ${isLast ? 'dropped' : 'tried again'}`,
      )
      if (isLast) return false
      await delay(Math.max(pauseMs, outcome.retryAfterMs), undefined, { signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
    return false
  }
}
