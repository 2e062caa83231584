import { monotonicMs } from '../lib/units.ts'

/** The longest time that a timer of Node.js can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls back at a deadline, which may change. */
export class LateTimer {
  readonly #onLate: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(onLate: () => void) {
    this.#onLate = onLate
  }

  /** @param deadline milliseconds by the monotonic clock; it replaces the one before */
  set(deadline: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onLate, Math.min(Math.max(1, deadline - monotonicMs()), LONGEST_MS))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
