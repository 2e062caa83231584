import { AsyncResource } from 'node:async_hooks'
import { monotonicMs } from '../../../lib/units.ts'

/**
 * A semaphore: it lets a limited number of calls run at the same time. The others wait, first in, first out, and begin
 * in the asynchronous context of their caller.
 */
export class Semaphore {
  #free: number
  #isHandingOut = false
  readonly #waiting: { begin(): void; readonly askedAtMs: number }[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Calls `begin` at once, or when a place is free. The caller must `release` the place after its work. */
  acquire(begin: () => void): void {
    if (this.#free > 0) {
      this.#free--
      begin()
    } else this.#waiting.push({ begin: AsyncResource.bind(begin), askedAtMs: monotonicMs() })
  }

  /** Takes a place. @returns a promise only if none is free */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise(resolve => this.acquire(resolve))
    this.#free--
    return undefined
  }

  release(): void {
    this.#free++
    // `begin` may give its permit back at once. The loop avoids a recursion that would be thousands of calls deep.
    if (this.#isHandingOut) return
    this.#isHandingOut = true
    while (this.#free > 0 && this.#waiting.length > 0) {
      this.#free--
      this.#waiting.shift()?.begin()
    }
    this.#isHandingOut = false
  }

  /** Milliseconds for which the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number {
    const [first] = this.#waiting
    return first ? monotonicMs() - first.askedAtMs : 0
  }
}
