import { type LedgerName, ledgerNames, type Pulse } from './pulse.ts'
import type { Update } from './update.ts'
import { record } from '../../lib/record.ts'

/** How much of each has arrived, of all apps; null where that is not known. */
export type Delivered = Readonly<Record<LedgerName, number | null>>

/** What one app emitted and what of it arrived, both from when apm-agent first heard of it. */
export class Ledger {
  readonly #emittedBefore: Pulse['emitted']
  readonly #deliveredBefore: Partial<Record<LedgerName, number>> = {}
  readonly #lastDelivered: Partial<Record<LedgerName, number>> = {}

  constructor(first: Pulse) {
    this.#emittedBefore = first.emitted
  }

  figures({ emitted, droppedLines, app }: Pulse, delivered: Delivered): Update['ledger'] {
    // What writes lines itself has delivered those that it has not given up.
    const logLines =
      app.composition.logging === 'sidecar' ? delivered.logLines : emitted.logLines - droppedLines
    const arrived = { ...delivered, logLines }
    return record(ledgerNames, name => ({
      emitted: emitted[name] - this.#emittedBefore[name],
      delivered: this.#count(name, arrived[name]),
    }))
  }

  /** Whoever delivers may start again, and then counts from zero. */
  #count(name: LedgerName, delivered: number | null): number | null {
    if (delivered === null) return null
    const last = this.#lastDelivered[name] ?? delivered
    const lost = Math.max(0, last - delivered)
    const before = (this.#deliveredBefore[name] ?? delivered) - lost
    this.#deliveredBefore[name] = before
    this.#lastDelivered[name] = delivered
    return delivered - before
  }
}
