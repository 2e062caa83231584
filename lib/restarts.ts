const FIRST_PAUSE_MS = 100
const WINDOW_MS = 60_000

/** Deaths beyond so many within a minute are no accident. */
export const MAX_RESTARTS = 5

export interface Restart {
  /** Which of the {@link MAX_RESTARTS} of the last minute it is, from 1. */
  readonly number: number
  readonly pauseMs: number
}

/**
 * Decides whether what died is to be started again: after a pause that doubles with every death of the last minute, and
 * no more than five times a minute. Whatever starts something and keeps it alive has one for each.
 */
export class Restarts {
  #deathsMs: number[] = []

  /**
   * To be called at every death, and at every start that failed.
   * @param nowMs by the monotonic clock
   * @returns when to start it again; undefined when it is to be given up
   */
  afterDeath(nowMs: number = performance.now()): Restart | undefined {
    this.#deathsMs = [...this.#deathsMs, nowMs].filter(atMs => atMs > nowMs - WINDOW_MS)
    const number = this.#deathsMs.length
    if (number > MAX_RESTARTS) return undefined
    return { number, pauseMs: FIRST_PAUSE_MS * 2 ** (number - 1) }
  }
}
