import type { FaultPulse } from '../../apm-agent/live/pulse.ts'
import { monotonicMs } from '../../lib/units.ts'
import { type FaultName, switches, type Targets } from './switches.ts'

/** A fault that ended so long ago is no longer told of: apm-agent may have been away meanwhile. */
const TOLD_FOR_MS = 30_000
/** So many, at most, are told of. */
const MAX_TOLD = 32

interface Active {
  readonly pulse: { -readonly [Key in keyof FaultPulse]: FaultPulse[Key] }
  end(): void
}

/** The faults that are on, each for a time. */
export class Faults {
  readonly #targets: Targets
  readonly #active = new Map<FaultName, Active>()
  #told: FaultPulse[] = []
  #begun = 0

  constructor(targets: Targets) {
    this.#targets = targets
  }

  /**
   * Switches a fault on; one that is on begins anew.
   * @throws FaultRefused when what it needs is not there
   */
  async begin(name: FaultName, forMs: number): Promise<void> {
    this.end(name)
    const { mend, over } = await switches[name].begin(this.#targets, forMs)
    const startedAtMs = monotonicMs()
    const timer = setTimeout(() => active.end(), forMs)
    const active: Active = {
      pulse: { id: ++this.#begun, name, startedAtMs, endsAtMs: startedAtMs + forMs },
      end: () => {
        if (this.#active.get(name) !== active) return
        this.#active.delete(name)
        clearTimeout(timer)
        active.pulse.endsAtMs = monotonicMs()
        mend()
      },
    }
    this.#active.set(name, active)
    this.#told = [...this.#told, active.pulse].slice(-MAX_TOLD)
    // What hung may be killed for it: then it is over.
    over?.then(active.end, active.end)
  }

  /** @returns false when it was not on */
  end(name: FaultName): boolean {
    const active = this.#active.get(name)
    active?.end()
    return active !== undefined
  }

  /** Those that are on, and for how much longer. */
  remainingMs(): ReadonlyMap<FaultName, number> {
    const nowMs = monotonicMs()
    return new Map([...this.#active].map(([name, { pulse }]) => [name, Math.round(pulse.endsAtMs - nowMs)]))
  }

  /** For the live page: those that are on, and those that have just ended. */
  readPulse(): readonly FaultPulse[] {
    const nowMs = monotonicMs()
    this.#told = this.#told.filter(({ endsAtMs }) => endsAtMs > nowMs - TOLD_FOR_MS)
    return this.#told
  }

  close(): void {
    for (const name of [...this.#active.keys()]) this.end(name)
  }
}
