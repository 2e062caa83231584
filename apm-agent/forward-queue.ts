import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/complaint.ts'
import { runningDelay } from '../lib/running-time.ts'
import type { ExportCounts } from './counts.ts'

/** Bodies that wait; one that comes past this is not taken. */
const MAX_WAITING_BYTES = 16 * 2 ** 20
const ANSWER_LIMIT_MS = 8000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
const LONGEST_RETRY_AFTER_MS = 10 * 60_000
/**
 * About a minute in all. Attempts are counted and not time, so that a pause of this process, or a step of the clock,
 * gives nothing up.
 */
const MAX_ATTEMPTS = 16
const CLOSE_LIMIT_MS = 5000

interface ForwardOptions {
  readonly url: string
  /** Sent along with each body. */
  readonly headers: Readonly<Record<string, string>>
  /** Where is counted what became of the items: spans, or metric points. */
  readonly counts: ExportCounts
}

interface Waiting {
  readonly body: Uint8Array<ArrayBuffer>
  readonly items: number
}

/** The collector's answer to a body. */
type Outcome =
  | { readonly kind: 'taken' }
  /** It will never take this body. */
  | { readonly kind: 'refused'; readonly why: string }
  /** It may take it later. */
  | { readonly kind: 'unavailable'; readonly why: string; readonly retryAfterMs: number }

/**
 * Hands bodies of OTLP on to a collector as they came, one after the other. Whoever sent them does not wait for it: an
 * answer of 5xx, 408 or 429, or none, is tried again here, and any other refusal drops the body. Both are counted.
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

  /** Whether there is room for such a body; while nothing waits there always is. */
  hasRoom(sizeBytes: number): boolean {
    return this.#waiting.length === 0 || this.#waitingBytes + sizeBytes <= MAX_WAITING_BYTES
  }

  /** @param items how many spans or points the body has */
  add(body: Buffer, items: number): void {
    this.#waiting.push({ body: new Uint8Array(body), items })
    this.#waitingBytes += body.length
    this.#sending ??= this.#sendAll()
  }

  /** Sends what is left, as far as that goes within the limit; the rest is dropped, and counted. */
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
      const outcome = await this.#send(body)
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

  async #send(body: Waiting['body']): Promise<Outcome> {
    const { url, headers } = this.#options
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      })
      await answer.arrayBuffer()
      return judge(answer)
    } catch (error) {
      const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
      return { kind: 'unavailable', why: `did not answer (${cause?.code ?? name})`, retryAfterMs: 0 }
    }
  }
}

function judge({ ok, status, headers }: Response): Outcome {
  if (ok) return { kind: 'taken' }
  const why = `answered with ${status}`
  if (status < 500 && status !== 408 && status !== 429) return { kind: 'refused', why }
  return { kind: 'unavailable', why, retryAfterMs: parseRetryAfterMs(headers.get('retry-after') ?? '') }
}

/** Seconds, or a date; 0 when it is neither. */
function parseRetryAfterMs(text: string): number {
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return waitMs > 0 ? Math.min(waitMs, LONGEST_RETRY_AFTER_MS) : 0
}
