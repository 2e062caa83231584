const FIRST_PAUSE_MS = 100
const WINDOW_MS = 60_000

/** More deaths than this number within a minute are not accidents. */
export const MAX_RESTARTS = 5

export interface Restart {
  /** The number of this restart among the {@link MAX_RESTARTS} of the last minute, from 1. */
  readonly number: number
  readonly pauseMs: number
}

/**
 * Decides whether something that died should be started again: after a pause that doubles with every death of the last
 * minute, and at most five times a minute. Each supervised process or thread has its own object.
 */
export class Restarts {
  #deathsMs: number[] = []

  /**
   * Must be called at every death and at every start that failed.
   * @param nowMs the time by the monotonic clock
   * @returns the restart; undefined when the process should be given up
   */
  afterDeath(nowMs: number = performance.now()): Restart | undefined {
    this.#deathsMs = [...this.#deathsMs, nowMs].filter(atMs => atMs > nowMs - WINDOW_MS)
    const number = this.#deathsMs.length
    if (number > MAX_RESTARTS) return undefined
    return { number, pauseMs: FIRST_PAUSE_MS * 2 ** (number - 1) }
  }
}
