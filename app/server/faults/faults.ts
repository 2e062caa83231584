import type { FaultPulse } from '../../../apm-agent/live/pulse-protocol.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { StackLink } from './stack-link.ts'
import { type FaultName, faultNames, switches, type Targets } from './switches.ts'

/** The pulse reports an ended fault for this time, because apm-agent may have been unreachable when it ended. */
const TOLD_FOR_MS = 30_000
const MAX_TOLD = 32

export interface ListedFault {
  readonly name: FaultName
  readonly help: string
  /** Null while the fault is off. */
  readonly remainingMs: number | null
}

interface Active {
  readonly pulse: { -readonly [Key in keyof FaultPulse]: FaultPulse[Key] }
  end(): void
}

/** The faults that are switched on, each for a limited time. */
export class Faults {
  readonly #targets: Targets
  readonly #active = new Map<FaultName, Active>()
  #told: FaultPulse[] = []
  #begun = 0

  constructor(targets: Omit<Targets, 'stack'>) {
    this.#targets = { ...targets, stack: new StackLink() }
  }

  /**
   * Switches a fault on. A fault that is already on begins again.
   * @throws FaultRefused when the app lacks something that the fault needs
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
    // The hanging thread may have been killed; then the fault is over.
    over?.then(active.end, active.end)
  }

  end(name: FaultName): void {
    this.#active.get(name)?.end()
  }

  list(): ListedFault[] {
    const nowMs = monotonicMs()
    return faultNames.map(name => {
      const active = this.#active.get(name)
      const remainingMs = active ? Math.round(active.pulse.endsAtMs - nowMs) : null
      return { name, help: switches[name].help, remainingMs }
    })
  }

  /** The faults that are on and those that ended lately, for the live page. */
  readPulse(): readonly FaultPulse[] {
    const nowMs = monotonicMs()
    this.#told = this.#told.filter(({ endsAtMs }) => endsAtMs > nowMs - TOLD_FOR_MS)
    return this.#told
  }

  close(): void {
    for (const name of faultNames) this.end(name)
  }
}
