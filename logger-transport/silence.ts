/**
 * A longer time between two observations means that this process paused. It says nothing about the observed process.
 */
const LONGEST_STEP_MS = 1000

/**
 * Measures for how long another process has given no sign of life while this process observed it. Any change of the
 * observed sign is a sign of life, so clocks of other processes do not matter. If this process was stopped, alone or
 * together with the other, the stop adds at most a second to the silence.
 */
export class Silence {
  #sign: string | undefined
  #silentMs = 0
  #observedAtMs = 0

  /**
   * Records an observation.
   * @param sign a text that changes as long as the other process lives
   * @param nowMs the time of a clock that cannot be set, such as `performance.now()`, in milliseconds
   * @returns the length of the silence in milliseconds
   */
  observe(sign: string, nowMs: number): number {
    const stepMs = Math.min(nowMs - this.#observedAtMs, LONGEST_STEP_MS)
    this.#silentMs = sign === this.#sign ? this.#silentMs + stepMs : 0
    this.#sign = sign
    this.#observedAtMs = nowMs
    return this.#silentMs
  }
}
