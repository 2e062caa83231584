import { AsyncResource } from 'node:async_hooks'
import { monotonicMs } from '../../lib/units.ts'

/** Lets so many work at once; the others wait, first in, first out, and begin in the context in which they asked. */
export class Turns {
  #free: number
  #isHandingOut = false
  readonly #waiting: { begin(): void; readonly askedAtMs: number }[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Calls `begin` at once, or when it is its turn. Whoever has begun gives the turn back. */
  take(begin: () => void): void {
    if (this.#free > 0) {
      this.#free--
      begin()
    } else this.#waiting.push({ begin: AsyncResource.bind(begin), askedAtMs: monotonicMs() })
  }

  giveBack(): void {
    this.#free++
    // Who begins may give back at once: thousands in a row must not call each other.
    if (this.#isHandingOut) return
    this.#isHandingOut = true
    while (this.#free > 0 && this.#waiting.length > 0) {
      this.#free--
      this.#waiting.shift()?.begin()
    }
    this.#isHandingOut = false
  }

  /** How long the first of those that wait has done so; 0 when none does. */
  oldestWaitMs(): number {
    const [first] = this.#waiting
    return first ? monotonicMs() - first.askedAtMs : 0
  }
}
