import { createComplaint } from '../lib/cli/terminal.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import { withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import type { Accepted } from '../lib/telemetry/otlp-exporter.ts'

/** The outcome of exports to a collector, for the items of one signal. */
export interface Outcomes {
  /** Accepted by the collector. */
  exported: number
  /** Given up, because the queue was full or the collector did not accept them in time. */
  dropped: number
}

interface Destination<Part> {
  /** For messages. */
  readonly url: string
  readonly outcomes: Outcomes
  /** A batch is made of whole entries, until it has at least this number of items. */
  readonly batchItems: number
  /** The limit on waiting items. Further ones are dropped and counted. */
  readonly maxItems: number
  /** It may make several attempts. */
  send(parts: Part[]): Promise<Accepted>
}

/** Parts that are exported in the same batch. */
interface Entry<Part> {
  readonly parts: readonly Part[]
  /** The number of items in the parts. */
  readonly count: number
  settle?(): void
}

/**
 * Exports entries in batches, one at a time. OpenTelemetry's BatchSpanProcessor is not used: it does not report dropped
 * spans, and at its end it passes on all batches at once, of which its exporter accepts only thirty.
 */
export class ExportQueue<Part> {
  readonly #to: Destination<Part>
  readonly #complain = createComplaint()
  readonly #waiting: Entry<Part>[] = []
  #waitingItems = 0
  #draining: Promise<void> | undefined

  constructor(to: Destination<Part>) {
    this.#to = to
  }

  get isIdle(): boolean {
    return this.#draining === undefined
  }

  /** @param entry is settled when its items were exported or counted as dropped */
  add(entry: Entry<Part>): void {
    const hasRoom = this.#waitingItems + entry.count <= this.#to.maxItems
    if (!hasRoom) this.#to.outcomes.dropped += entry.count
    if (!hasRoom || entry.count === 0) return entry.settle?.()
    this.#waiting.push(entry)
    this.#waitingItems += entry.count
    if (this.#waitingItems >= this.#to.batchItems) this.drain()
  }

  /** Exports all that waits. */
  drain(): Promise<void> {
    this.#draining ??= this.#exportAll().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  /**
   * Exports what waits within the limit, as far as possible. The rest is counted as dropped here, but not settled: its app sends it
   * to the next apm-agent.
   */
  async close(limitMs: number): Promise<void> {
    await Promise.race([this.drain(), runningDelay(limitMs)])
    this.#to.outcomes.dropped += this.#waitingItems
    this.#waitingItems = 0
    this.#waiting.length = 0
  }

  async #exportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch()
      const parts = batch.flatMap(({ parts }) => parts)
      await this.#export(
        parts,
        batch.reduce((total, { count }) => total + count, 0),
      )
      for (const { settle } of batch) settle?.()
    }
  }

  #takeBatch(): Entry<Part>[] {
    let entries = 0
    let items = 0
    while (entries < this.#waiting.length && items < this.#to.batchItems)
      items += (this.#waiting[entries++] as Entry<Part>).count
    this.#waitingItems -= items
    return this.#waiting.splice(0, entries)
  }

  async #export(parts: Part[], count: number): Promise<void> {
    const { url, outcomes } = this.#to
    const say = (what: string) => this.#complain(`telemetry: ${withoutCredentials(url)} ${what}`)
    try {
      const trouble = countAccepted(outcomes, count, await this.#to.send(parts))
      if (trouble) say(trouble)
    } catch (error) {
      outcomes.dropped += count
      say(`${describe(error as Error)}; what it was sent is dropped`)
    }
  }
}

/** Counts items that a collector has taken, with exceptions perhaps. @returns what is to be said about these */
export function countAccepted(
  outcomes: Outcomes,
  count: number,
  { rejected, message }: Accepted,
): string | undefined {
  const dropped = Math.min(rejected, count)
  outcomes.exported += count - dropped
  outcomes.dropped += dropped
  return dropped || message ? `rejected ${dropped} of ${count} items (${message})` : undefined
}

/** Describes the error of an exporter, whose `code` may be an HTTP status. */
function describe({ code, message }: Error & { readonly code?: unknown }): string {
  if (typeof code === 'number') return `answered with ${code}`
  return `did not take it in time (${code ?? message})`
}
