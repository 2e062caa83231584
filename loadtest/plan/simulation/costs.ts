import { type Curve, forEachPart, microsAt, type Part, type PerPart, partNames } from '../demands.ts'
import type { Agenda } from './agenda.ts'
import type { Cores } from './cores.ts'
import type { Server } from './thread.ts'

/** How often the heat is read, and the weight of the newest reading. */
const INTERVAL_MICROS = 50_000
const NEWEST = 0.2

/** Follows how hot each part is while the simulation runs, and so the CPU time that a request needs of it. */
export class Heat {
  readonly #agenda: Agenda
  readonly #curves: PerPart<Curve>
  readonly #coresOf: PerPart<Pick<Cores, 'count'>>
  readonly #parts: PerPart<readonly Server[]>
  readonly #heat: Record<Part, number>
  #micros: PerPart<number>

  constructor(
    agenda: Agenda,
    curves: PerPart<Curve>,
    coresOf: PerPart<Pick<Cores, 'count'>>,
    parts: PerPart<readonly Server[]>,
  ) {
    this.#agenda = agenda
    this.#curves = curves
    this.#coresOf = coresOf
    this.#parts = parts
    this.#heat = forEachPart(() => 1) as Record<Part, number>
    this.#micros = this.#readMicros()
    this.#watch(this.#readUsed())
  }

  /** CPU microseconds that a request needs of a part now. */
  micros(part: Part): number {
    return this.#micros[part]
  }

  #watch(before: PerPart<number>): void {
    this.#agenda.after(INTERVAL_MICROS, () => {
      const used = this.#readUsed()
      const grown = forEachPart(part => used[part] - before[part])
      forEachPart(part => {
        const own = grown[part] / (INTERVAL_MICROS * Math.max(1, this.#parts[part].length))
        const now = Math.min(1, Math.max(own, this.#busyShare(this.#coresOf[part], grown)))
        this.#heat[part] += NEWEST * (now - this.#heat[part])
      })
      this.#micros = this.#readMicros()
      this.#watch(used)
    })
  }

  /** The share of the time in which cores ran. */
  #busyShare(cores: Pick<Cores, 'count'>, grown: PerPart<number>): number {
    const onCores = partNames.filter(part => this.#coresOf[part] === cores)
    const used = onCores.reduce((sum, part) => sum + grown[part], 0)
    return used / (INTERVAL_MICROS * cores.count)
  }

  #readMicros(): PerPart<number> {
    return forEachPart(part => microsAt(this.#curves[part], this.#heat[part]))
  }

  #readUsed(): PerPart<number> {
    return forEachPart(part => this.#parts[part].reduce((sum, { usedMicros }) => sum + usedMicros, 0))
  }
}
