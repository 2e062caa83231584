/** Longer pauses between two looks are this process's own, and tell nothing of the other. */
const LONGEST_STEP_MS = 1000

/**
 * How long somebody has given no sign of life, as far as that was watched. No clock of anybody else matters: a sign is
 * that something changed. A watcher that was stopped itself, alone or with the other, adds a second at most.
 */
export class Silence {
  #sign: string | undefined
  #silentMs = 0
  #observedAtMs = 0

  /**
   * @param sign what changes as long as the other lives
   * @param nowMs of a clock that nobody sets, such as performance.now()
   * @returns milliseconds of silence
   */
  observe(sign: string, nowMs: number): number {
    const stepMs = Math.min(nowMs - this.#observedAtMs, LONGEST_STEP_MS)
    this.#silentMs = sign === this.#sign ? this.#silentMs + stepMs : 0
    this.#sign = sign
    this.#observedAtMs = nowMs
    return this.#silentMs
  }
}
