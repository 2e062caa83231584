import { record } from '../../../lib/record.ts'
import {
  forEachPart,
  microsAt,
  type PartUse,
  type PerPart,
  partNames,
  type WokenCost,
  type WokenPart,
  wokenParts,
} from '../demands.ts'
import type { Agenda } from './agenda.ts'
import type { Cores } from './cores.ts'
import type { Server } from './thread.ts'

/** How often the use is read, and the weight of the newest reading. */
const INTERVAL_MICROS = 50_000
const NEWEST = 0.2

type PerWokenPart<Value> = Readonly<Record<WokenPart, Value>>

interface Following {
  readonly costs: PerWokenPart<WokenCost>
  readonly coresOf: PerPart<Pick<Cores, 'count'>>
  readonly parts: PerPart<readonly Server[]>
  /** Number of requests so far. */
  readonly countRequests: () => number
}

/** Follows how each woken part is used while the simulation runs, and so the CPU time that a request needs of it. */
export class Costs {
  readonly #agenda: Agenda
  readonly #following: Following
  readonly #heat: Record<WokenPart, number> = record(wokenParts, () => 1)
  /** Wake-ups and requests of late, so that the newest count most. */
  readonly #wakeups: Record<WokenPart, number> = record(wokenParts, () => 0)
  #requests = 0
  #micros: PerWokenPart<number>

  constructor(agenda: Agenda, following: Following) {
    this.#agenda = agenda
    this.#following = following
    this.#micros = this.#readMicros()
    this.#watch(this.#read())
  }

  /** CPU microseconds that a request needs of a part now. */
  micros(part: WokenPart): number {
    return this.#micros[part]
  }

  #watch(before: Readings): void {
    this.#agenda.after(INTERVAL_MICROS, () => {
      const now = this.#read()
      const grown = forEachPart(part => now.usedMicros[part] - before.usedMicros[part])
      this.#requests = (1 - NEWEST) * this.#requests + now.requests - before.requests
      for (const part of wokenParts) {
        const { coresOf, parts } = this.#following
        const own = grown[part] / (INTERVAL_MICROS * Math.max(1, parts[part].length))
        const heat = Math.min(1, Math.max(own, this.#busyShare(coresOf[part], grown)))
        this.#heat[part] += NEWEST * (heat - this.#heat[part])
        this.#wakeups[part] = (1 - NEWEST) * this.#wakeups[part] + now.wakeups[part] - before.wakeups[part]
      }
      this.#micros = this.#readMicros()
      this.#watch(now)
    })
  }

  /** The share of the time in which cores ran. */
  #busyShare(cores: Pick<Cores, 'count'>, grown: PerPart<number>): number {
    const onCores = partNames.filter(part => this.#following.coresOf[part] === cores)
    const used = onCores.reduce((sum, part) => sum + grown[part], 0)
    return used / (INTERVAL_MICROS * cores.count)
  }

  #readMicros(): PerWokenPart<number> {
    return record(wokenParts, part => microsAt(this.#following.costs[part], this.#useOf(part)))
  }

  #useOf(part: WokenPart): PartUse {
    return { wakeups: this.#wakeups[part] / Math.max(1, this.#requests), heat: this.#heat[part] }
  }

  #read(): Readings {
    const { parts, countRequests } = this.#following
    return { ...readParts(parts), requests: countRequests() }
  }
}

interface Readings extends PartReadings {
  readonly requests: number
}

interface PartReadings {
  readonly usedMicros: PerPart<number>
  readonly wakeups: PerPart<number>
}

/** What the threads of each part have used so far, and how often they were woken. */
export const readParts = (parts: PerPart<readonly Server[]>): PartReadings => ({
  usedMicros: forEachPart(part => sumOf(parts[part], 'usedMicros')),
  wakeups: forEachPart(part => sumOf(parts[part], 'wakeups')),
})

const sumOf = (servers: readonly Server[], what: 'usedMicros' | 'wakeups') =>
  servers.reduce((sum, server) => sum + server[what], 0)
