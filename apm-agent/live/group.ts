import type { RunningClock } from '../../lib/os/running-time.ts'
import type { Update } from '../../screen/live-messages.ts'
import { type Delivered, Ledger } from './ledger.ts'
import type { AppDescription, LedgerName, Pulse } from './pulse-protocol.ts'

/** An update covers the time between this many pulses, which is two seconds. */
const PULSES_OF_AN_UPDATE = 5
/** The limit on instances that are counted separately, including those that have ended. */
const MAX_INSTANCES = 128

interface LiveInstance {
  readonly ledger: Ledger
  readonly pulses: Pulse[]
  heardAtMs: number
}

/** The id that the instances of one app have in common; it differs between apps. */
export const groupOf = ({ instance, place }: AppDescription): string => place?.group ?? instance

/** The instances of one app. Most apps have only one. */
export class Group {
  /** The description of the app for the page. */
  readonly app: AppDescription
  readonly #silentAfterMs: number
  readonly #startedAtMs: number
  readonly #clock: Pick<RunningClock, 'nowMs'>
  readonly #instances = new Map<string, LiveInstance>()
  /** The instances that sent a pulse in the present round. */
  readonly #heard = new Set<string>()

  /**
   * @param silentAfterMs an instance that sends no pulse for this time is treated as ended
   * @param startedAtMs the start of apm-agent; items that were emitted before it are not counted
   */
  constructor(
    app: AppDescription,
    silentAfterMs: number,
    startedAtMs: number,
    clock: Pick<RunningClock, 'nowMs'>,
  ) {
    this.#clock = clock
    this.app = { ...app, instance: groupOf(app) }
    this.#silentAfterMs = silentAfterMs
    this.#startedAtMs = startedAtMs
  }

  /**
   * Takes a pulse.
   * @returns whether the round is complete: every active instance has sent a pulse, and one has sent another. With a
   * single instance, every pulse except the first completes a round.
   */
  take(pulse: Pulse, readDelivered: (instance: string) => Delivered): boolean {
    const { instance, startedAtMs } = pulse.app
    const known = this.#instances.get(instance)
    if (!known) {
      if (this.#instances.size >= MAX_INSTANCES) return false
      const isWhole = startedAtMs > this.#startedAtMs
      const ledger = new Ledger(pulse, isWhole, readDelivered(instance))
      this.#instances.set(instance, { ledger, pulses: [pulse], heardAtMs: this.#clock.nowMs() })
      this.#heard.add(instance)
      return false
    }
    known.heardAtMs = this.#clock.nowMs()
    if (pulse.atMs <= (known.pulses.at(-1) as Pulse).atMs) return false
    known.pulses.push(pulse)
    if (known.pulses.length > PULSES_OF_AN_UPDATE) known.pulses.shift()
    const isRound = this.#heard.has(instance)
    if (isRound) this.#heard.clear()
    this.#heard.add(instance)
    return isRound
  }

  isSilent(): boolean {
    return [...this.#instances.values()].every(instance => !this.#isHeard(instance))
  }

  /** The last pulses, two or more, of each active instance, in the order of the instances. */
  windows(): readonly (readonly Pulse[])[] {
    return [...this.#instances.values()]
      .filter(instance => this.#isHeard(instance) && instance.pulses.length > 1)
      .map(({ pulses }) => pulses)
      .toSorted(([one], [other]) => numberOf(one) - numberOf(other))
  }

  /** The ledger of all instances since the start, because items of an instance that has ended may still arrive. */
  ledger(readDelivered: (instance: string) => Delivered): Update['ledger'] {
    const figures = [...this.#instances].map(([instance, { ledger, pulses }]) =>
      ledger.figures(pulses.at(-1) as Pulse, readDelivered(instance)),
    )
    const [first, ...others] = figures as [Update['ledger'], ...Update['ledger'][]]
    const sums = others.reduce(add, first)
    // logger-transport does not count lines by instance, so the count of the first instance includes the lines of all
    // later ones.
    if (this.app.composition.logging !== 'sidecar') return sums
    return { ...sums, logLines: { ...sums.logLines, delivered: first.logLines.delivered } }
  }

  #isHeard({ heardAtMs }: LiveInstance): boolean {
    return this.#clock.nowMs() - heardAtMs <= this.#silentAfterMs
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
