const FIRST_PAUSE_MS = 100
const WINDOW_MS = 60_000
/** The pauses after the restarts of a minute are spent. */
const FIRST_LATER_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 300_000

/** More deaths than this number within a minute are not accidents. */
export const MAX_RESTARTS = 5

export interface Restart {
  /** The number of this restart within the last minute, from 1. */
  readonly number: number
  /** Whether {@link MAX_RESTARTS} within a minute did not help, and no life of a minute has followed. */
  readonly isSpent: boolean
  readonly pauseMs: number
}

/**
 * Decides when something that died is started again. The pause doubles with every death of the last minute. After five
 * restarts within a minute, the owner may give it up; the pauses of further restarts double from five seconds to five
 * minutes. Each supervised process or thread has its own object.
 */
export class Restarts {
  #deathsMs: number[] = []
  #spent = 0
  #restartedAtMs = 0

  /**
   * Must be called at every death and at every start that failed.
   * @param nowMs the time by the monotonic clock
   */
  afterDeath(nowMs: number = performance.now()): Restart {
    if (nowMs - this.#restartedAtMs >= WINDOW_MS) this.#spent = 0
    this.#deathsMs = [...this.#deathsMs, nowMs].filter(atMs => atMs > nowMs - WINDOW_MS)
    const number = this.#deathsMs.length
    if (number > MAX_RESTARTS || this.#spent > 0) this.#spent++
    const isSpent = this.#spent > 0
    const pauseMs = isSpent
      ? Math.min(FIRST_LATER_PAUSE_MS * 2 ** (this.#spent - 1), LONGEST_PAUSE_MS)
      : FIRST_PAUSE_MS * 2 ** (number - 1)
    this.#restartedAtMs = nowMs + pauseMs
    return { number, isSpent, pauseMs }
  }
}
