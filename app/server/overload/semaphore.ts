import { monotonicMs } from '../../../lib/units.ts'

/** A semaphore: a limited number of callers have a place at the same time. The others wait, first in, first out. */
export class Semaphore {
  #free: number
  readonly #waiting: { begin(): void; readonly askedAtMs: number }[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Takes a place, which has to be released. @returns a promise only if none is free */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise(begin => this.#waiting.push({ begin, askedAtMs: monotonicMs() }))
    this.#free--
    return undefined
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#free++
  }

  /** Milliseconds for which the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number {
    const [first] = this.#waiting
    return first ? monotonicMs() - first.askedAtMs : 0
  }
}
