import { createComplaint } from '../lib/cli/terminal.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import { otlpHeaders, type Signal, withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import type { CollectorUrls } from './collector-urls.ts'
import type { ExportCounts } from './counts.ts'
import { readPartialSuccess } from './otlp.ts'
import type { BodyRelay, Outcome } from './take-otlp.ts'

const ANSWER_LIMIT_MS = 8000
const LONGEST_RETRY_AFTER_MS = 10 * 60_000
const CLOSE_LIMIT_MS = 5000
/** The limit on the memory of bodies that the collector has not answered. Beyond it a body is refused. */
const MAX_WAITING_BYTES = 16 * 2 ** 20

/**
 * Passes OTLP bodies of one signal on to a collector unchanged, and its answers back. The senders keep what the collector has not
 * taken, as they would without this process between them; so nothing waits here, and a death of this process loses nothing.
 */
export class Relay implements BodyRelay {
  /** The numbers of items that the collector took and refused. */
  readonly counts: ExportCounts
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #closing = new AbortController()
  readonly #complain = createComplaint()
  readonly #running = new Set<Promise<Outcome>>()
  #waitingBytes = 0
  #isClosing = false

  /** @param url the URL to which the collector takes this signal */
  constructor(signal: Signal, url: string, counts: ExportCounts = { exported: 0, dropped: 0 }) {
    this.counts = counts
    this.#url = new URL(url)
    // `fetch` refuses a URL with a user or password.
    const { username, password } = this.#url
    this.#url.username = this.#url.password = ''
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
    this.#headers = {
      ...(username && { authorization: `Basic ${credentials.toString('base64')}` }),
      ...otlpHeaders(signal),
      'content-type': 'application/x-protobuf',
    }
  }

  /** @returns the collector's answer; undefined if there is no room for the body now */
  async pass(body: Buffer, items: number): Promise<Outcome | undefined> {
    const isFull = this.#waitingBytes > 0 && this.#waitingBytes + body.length > MAX_WAITING_BYTES
    if (isFull || this.#isClosing) return undefined
    this.#waitingBytes += body.length
    const sending = this.#send(new Uint8Array(body))
    this.#running.add(sending)
    const outcome = await sending
    this.#running.delete(sending)
    this.#waitingBytes -= body.length
    this.#count(outcome, items)
    return outcome
  }

  /** Waits for running requests for a limited time. Their senders, and later ones, are told to send again. */
  async close(limitMs = CLOSE_LIMIT_MS): Promise<void> {
    this.#isClosing = true
    await Promise.race([Promise.all(this.#running), runningDelay(limitMs)])
    this.#closing.abort()
  }

  #count(outcome: Outcome, items: number): void {
    if (outcome.kind === 'taken') {
      const { rejected, message } = readPartialSuccess(outcome.answer)
      const dropped = Math.min(rejected, items)
      this.counts.exported += items - dropped
      this.counts.dropped += dropped
      if (dropped || message) this.#say(`rejected ${dropped} of ${items} items (${message})`)
      return
    }
    if (outcome.kind === 'refused') this.counts.dropped += items
    this.#say(outcome.why)
  }

  #say(what: string): void {
    this.#complain(`apm-agent: ${withoutCredentials(this.#url.href)} ${what}; the sender is told`)
  }

  async #send(body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      })
      return judge(response, Buffer.from(await response.arrayBuffer()))
    } catch (error) {
      const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } }
      return { kind: 'unavailable', why: `did not answer (${cause?.code ?? name})`, retryAfterMs: 0 }
    }
  }
}

/** A relay for each signal that the collector takes. */
export type Relays = Readonly<Partial<Record<Signal, Relay>>>

/** @param counts exports of this process itself are counted there too */
export const createRelays = (urls: CollectorUrls, counts: Partial<Record<Signal, ExportCounts>>): Relays =>
  Object.fromEntries(
    (['traces', 'metrics', 'logs'] as const).flatMap(signal => {
      const url = urls[signal]
      return url ? [[signal, new Relay(signal, url, counts[signal])]] : []
    }),
  )

function judge({ ok, status, headers }: Response, answer: Buffer): Outcome {
  if (ok) return { kind: 'taken', answer }
  const why = `answered with ${status}`
  if (status < 500 && status !== 408 && status !== 429) return { kind: 'refused', why, status }
  return { kind: 'unavailable', why, retryAfterMs: parseRetryAfterMs(headers.get('retry-after') ?? '') }
}

/**
 * Reads a `Retry-After` header, which has seconds or a date. @returns the wait in milliseconds, 0 for any other text
 */
function parseRetryAfterMs(text: string): number {
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return waitMs > 0 ? Math.min(waitMs, LONGEST_RETRY_AFTER_MS) : 0
}
