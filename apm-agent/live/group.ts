import { type Delivered, Ledger } from './ledger.ts'
import type { AppDescription, LedgerName, Pulse } from './pulse.ts'
import { PULSES_OF_AN_UPDATE, type Update } from './update.ts'

/** So many instances are told apart, also of those that are gone. */
const MAX_MEMBERS = 128

interface Member {
  readonly ledger: Ledger
  readonly pulses: Pulse[]
  heardAtMs: number
}

/** What tells apps apart: the instances of one app belong together. */
export const groupOf = ({ instance, place }: AppDescription): string => place?.group ?? instance

/** The instances of one app; mostly one. */
export class Group {
  /** As the page knows it. */
  readonly app: AppDescription
  readonly #silentAfterMs: number
  readonly #startedAtMs: number
  readonly #members = new Map<string, Member>()
  /** Who has been heard since the last round. */
  readonly #heard = new Set<string>()

  /**
   * @param silentAfterMs an instance that says nothing for so long is taken to be gone
   * @param startedAtMs when apm-agent did: what was emitted before is not its business
   */
  constructor(app: AppDescription, silentAfterMs: number, startedAtMs: number) {
    this.app = { ...app, instance: groupOf(app) }
    this.#silentAfterMs = silentAfterMs
    this.#startedAtMs = startedAtMs
  }

  /**
   * @returns whether the round is complete: every instance that has something to say has said it, and one has again.
   * Of an app of one process every pulse but the first completes one.
   */
  take(pulse: Pulse, readDelivered: (instance: string) => Delivered): boolean {
    const { instance, startedAtMs } = pulse.app
    const member = this.#members.get(instance)
    if (!member) {
      if (this.#members.size >= MAX_MEMBERS) return false
      const isWhole = startedAtMs > this.#startedAtMs
      const ledger = new Ledger(pulse, isWhole, readDelivered(instance))
      this.#members.set(instance, { ledger, pulses: [pulse], heardAtMs: performance.now() })
      this.#heard.add(instance)
      return false
    }
    member.heardAtMs = performance.now()
    if (pulse.atMs <= (member.pulses.at(-1) as Pulse).atMs) return false
    member.pulses.push(pulse)
    if (member.pulses.length > PULSES_OF_AN_UPDATE) member.pulses.shift()
    const isRound = this.#heard.has(instance)
    if (isRound) this.#heard.clear()
    this.#heard.add(instance)
    return isRound
  }

  isSilent(): boolean {
    return [...this.#members.values()].every(member => !this.#isHeard(member))
  }

  /** The last pulses of each instance that still speaks, two or more, in the order of the instances. */
  windows(): readonly (readonly Pulse[])[] {
    return [...this.#members.values()]
      .filter(member => this.#isHeard(member) && member.pulses.length > 1)
      .map(({ pulses }) => pulses)
      .toSorted(([one], [other]) => numberOf(one) - numberOf(other))
  }

  /** Of all instances that ever were: what one has emitted that is gone now may still arrive. */
  ledger(readDelivered: (instance: string) => Delivered): Update['ledger'] {
    const figures = [...this.#members].map(([instance, { ledger, pulses }]) =>
      ledger.figures(pulses.at(-1) as Pulse, readDelivered(instance)),
    )
    const [first, ...others] = figures as [Update['ledger'], ...Update['ledger'][]]
    const sums = others.reduce(add, first)
    // The transport does not say whose lines it delivered: the first instance's count is of all that came since.
    if (this.app.composition.logging !== 'sidecar') return sums
    return { ...sums, logLines: { ...sums.logLines, delivered: first.logLines.delivered } }
  }

  #isHeard({ heardAtMs }: Member): boolean {
    return performance.now() - heardAtMs <= this.#silentAfterMs
  }
}

const numberOf = (pulse: Pulse | undefined) => pulse?.app.place?.number ?? 0

const add = (one: Update['ledger'], other: Update['ledger']): Update['ledger'] =>
  Object.fromEntries(
    (Object.keys(one) as LedgerName[]).map(name => {
      const [a, b] = [one[name].delivered, other[name].delivered]
      const delivered = a === null || b === null ? null : a + b
      return [name, { emitted: one[name].emitted + other[name].emitted, delivered }]
    }),
  ) as unknown as Update['ledger']
