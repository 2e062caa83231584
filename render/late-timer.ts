import { MAX_DURATION_MS, monotonicMs } from '../lib/units.ts'

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
    const leftMs = Math.max(1, deadline - monotonicMs())
    this.#timer = setTimeout(this.#onLate, Math.min(leftMs, MAX_DURATION_MS))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
