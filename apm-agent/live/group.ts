import type { RunningClock } from '../../lib/os/running-time.ts'
import { record } from '../../lib/record.ts'
import type { AppDescription, Update } from '../../screen/live-messages.ts'
import type { LedgerName, Pulse } from './pulse-protocol.ts'

/** An instance that sends no pulse for this time is treated as ended. */
const SILENT_AFTER_MS = 2000
/** An update covers the time between this many pulses, which is two seconds. */
const PULSES_OF_AN_UPDATE = 5
/** The limit on instances that are counted separately, including those that have ended. */
const MAX_INSTANCES = 128

/** The numbers of items of an app that apm-agent and logger-transport have received. */
export interface Deliveries {
  /** The items of an instance that apm-agent has received since it started. */
  of(instance: string): Readonly<Record<'spans' | 'metricPoints', number>>
  /**
   * The lines of all apps that logger-transport has delivered; null while unknown. It never falls.
   * @param isWatched whether an up-to-date number is worth a request
   */
  readLines(isWatched: boolean): number | null
}

const ledgerNames = ['logLines', 'spans', 'metricPoints'] as const
type Numbers = Readonly<Record<LedgerName, number>>
type Ledger = Readonly<Record<'emitted' | 'delivered', Numbers>>

const NOTHING: Numbers = { logLines: 0, spans: 0, metricPoints: 0 }

interface LiveInstance {
  /** The numbers at the first pulse, if the app emitted items before apm-agent started. They do not count. */
  readonly before: Ledger
  readonly pulses: Pulse[]
  heardAtMs: number
}

/** The id that the instances of one app have in common; it differs between apps. */
export const groupOf = ({ instance, place }: AppDescription): string => place?.group ?? instance

/** The instances of one app. Most apps have only one. */
export class Group {
  /** The description of the app for the page. */
  readonly app: AppDescription
  readonly #agentStartedAtMs: number
  readonly #clock: Pick<RunningClock, 'nowMs'>
  readonly #deliveries: Deliveries
  readonly #instances = new Map<string, LiveInstance>()
  /** The instances that sent a pulse in the present round. */
  readonly #heard = new Set<string>()
  /** The lines that logger-transport delivered before those of this app; null while unknown. */
  #linesBefore: number | null

  /** @param agentStartedAtMs items that were emitted before apm-agent started are not counted */
  constructor(
    app: AppDescription,
    agentStartedAtMs: number,
    clock: Pick<RunningClock, 'nowMs'>,
    deliveries: Deliveries,
  ) {
    this.app = { ...app, instance: groupOf(app) }
    this.#agentStartedAtMs = agentStartedAtMs
    this.#clock = clock
    this.#deliveries = deliveries
    const lines = deliveries.readLines(true)
    // This number is older than the app. If apm-agent is younger than the app, the next number is the first.
    this.#linesBefore = this.#isWhole(app) ? lines : null
  }

  /**
   * Takes a pulse.
   * @returns whether the round is complete: every active instance has sent a pulse, and one has sent another. With a
   * single instance, every pulse except the first completes a round.
   */
  take(pulse: Pulse): boolean {
    const { instance } = pulse.app
    const known = this.#instances.get(instance)
    if (!known) {
      if (this.#instances.size < MAX_INSTANCES) this.#add(pulse)
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
  ledger(isWatched: boolean): Update['ledger'] {
    const instances = [...this.#instances.values()].map(({ before, pulses }) => ({
      before,
      now: this.#ledgerOf(pulses.at(-1) as Pulse),
    }))
    const sum = (what: keyof Ledger, name: LedgerName) =>
      instances.reduce((total, { before, now }) => total + now[what][name] - before[what][name], 0)
    const sums = record(ledgerNames, name => ({
      emitted: sum('emitted', name),
      delivered: sum('delivered', name),
    }))
    // logger-transport does not count lines by instance.
    if (this.app.composition.logging !== 'sidecar') return sums
    return { ...sums, logLines: { ...sums.logLines, delivered: this.#readLines(isWatched) } }
  }

  #add(pulse: Pulse): void {
    const before = this.#isWhole(pulse.app) ? { emitted: NOTHING, delivered: NOTHING } : this.#ledgerOf(pulse)
    this.#instances.set(pulse.app.instance, { before, pulses: [pulse], heardAtMs: this.#clock.nowMs() })
    this.#heard.add(pulse.app.instance)
  }

  /** An implementation of logging that is not logger-transport has delivered all lines that it has not dropped. */
  #ledgerOf({ app, emitted, droppedLines }: Pulse): Ledger {
    const delivered = { ...this.#deliveries.of(app.instance), logLines: emitted.logLines - droppedLines }
    return { emitted, delivered }
  }

  #readLines(isWatched: boolean): number | null {
    const lines = this.#deliveries.readLines(isWatched)
    this.#linesBefore ??= lines
    return lines === null ? null : lines - (this.#linesBefore as number)
  }

  /** Whether apm-agent was there before the app emitted anything. */
  #isWhole({ startedAtMs }: AppDescription): boolean {
    return startedAtMs > this.#agentStartedAtMs
  }

  #isHeard({ heardAtMs }: LiveInstance): boolean {
    return this.#clock.nowMs() - heardAtMs <= SILENT_AFTER_MS
  }
}

const numberOf = (pulse: Pulse | undefined) => pulse?.app.place?.number ?? 0
