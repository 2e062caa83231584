import { createComplaint } from '../lib/cli/terminal.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import { otlpHeaders, type Signal, withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import type { CollectorUrls, ExportCounts } from './collector.ts'
import { countAccepted, type Outcomes } from './export-queue.ts'
import { readPartialSuccess } from './otlp.ts'

const ANSWER_LIMIT_MS = 8000
const CLOSE_LIMIT_MS = 5000
/** The limit on the memory of bodies that the collector has not answered. Beyond it a body is refused. */
const MAX_WAITING_BYTES = 16 * 2 ** 20

/** What became of a body. */
export type Outcome =
  /** It has this answer. One that is empty says that all items were accepted. */
  | { readonly status: 200; readonly answer: Buffer }
  /** The collector does not take it: later perhaps, if the status is 503, and never with any other. `why` says what it does. */
  | { readonly status: number; readonly why: string; readonly retryAfter?: string | null }

/**
 * Passes OTLP bodies of one signal on to a collector unchanged, and its answers back. The senders keep what the collector has not
 * taken, as they would without this process between them; so nothing waits here, and a death of this process loses nothing.
 */
export class Relay {
  /** The numbers of items that the collector took and refused. */
  readonly counts: Outcomes
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #closing = new AbortController()
  readonly #complain = createComplaint()
  readonly #running = new Set<Promise<Outcome>>()
  #waitingBytes = 0
  #isClosing = false

  /** @param url the URL to which the collector takes this signal */
  constructor(signal: Signal, url: string, counts: Outcomes) {
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

  async pass(body: Buffer, items: number): Promise<Outcome> {
    const isFull = this.#waitingBytes > 0 && this.#waitingBytes + body.length > MAX_WAITING_BYTES
    if (isFull || this.#isClosing) return { status: 503, why: 'has too much to take already' }
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
    if ('why' in outcome && outcome.status !== 503) this.counts.dropped += items
    const trouble =
      'why' in outcome ? outcome.why : countAccepted(this.counts, items, readPartialSuccess(outcome.answer))
    if (trouble)
      this.#complain(`apm-agent: ${withoutCredentials(this.#url.href)} ${trouble}; the sender is told`)
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
      return { status: 503, why: `did not answer (${cause?.code ?? name})` }
    }
  }
}

/** A relay for each signal that the collector takes. */
export type Relays = Readonly<Partial<Record<Signal, Relay>>>

/** @param counts exports of this process itself are counted there too */
export const createRelays = (urls: CollectorUrls, counts: ExportCounts): Relays =>
  Object.fromEntries(
    (['traces', 'metrics', 'logs'] as const).flatMap(signal => {
      const url = urls[signal]
      return url ? [[signal, new Relay(signal, url, counts[signal])]] : []
    }),
  )

function judge({ ok, status, headers }: Response, answer: Buffer): Outcome {
  if (ok) return { status: 200, answer }
  const why = `answered with ${status}`
  // A redirection is of no use to the sender, because it cannot reach the collector.
  if (status < 500 && status !== 408 && status !== 429) return { status: Math.max(status, 400), why }
  return { status: 503, why, retryAfter: headers.get('retry-after') }
}
