/** What a request may have to wait for, besides the main thread. */
export type Need = 'compute' | 'rendering' | 'upstream'

/** Where work waits for its turn: a pool, or the main thread where it does a pool's work. */
export interface Lane {
  /** How many do its work at once. */
  readonly workers: number
  /** How long the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number
}

/** The main thread as a lane: what is asked of it is done at once, so that nobody is seen to wait. */
export const mainThreadLane: Lane = { workers: 1, oldestWaitMs: () => 0 }

/** How often the mean is renewed. */
const WINDOW_MS = 250

/**
 * A lane with those who will need it: a request is counted from the moment it is admitted, also while it still waits for
 * something else, since by then others can no longer be told to stay away.
 */
export class WatchedLane {
  readonly #lane: Lane
  /** Time that the lane has worked so far. */
  readonly #done: { readonly runMs: number }
  #inFlight = 0
  /** Work of those that left lately, and how many they were. */
  readonly #lately = { runMs: 0, requests: 0 }
  #meanRunMs = 0
  #left = 0
  #lastRunMs = 0
  #windowBeganAtMs = 0

  constructor(lane: Lane, done: { readonly runMs: number }) {
    this.#lane = lane
    this.#done = done
  }

  /** Requests that were admitted and have not left. */
  get inFlight(): number {
    return this.#inFlight
  }

  enter(): void {
    this.#inFlight++
  }

  leave(): void {
    this.#inFlight--
    this.#left++
  }

  /**
   * How long a request would wait that came now: for the work of those before it, by their number and by what one of
   * them takes. Or as long as the first in line has waited already, should that be longer: whatever is wrong then, a
   * mean does not know of it.
   */
  expectedWaitMs(nowMs: number): number {
    this.#renewMean(nowMs)
    const workMs = (this.#inFlight * this.#meanRunMs) / this.#lane.workers
    return Math.max(workMs, this.#lane.oldestWaitMs())
  }

  /** Each window counts half of the next, and a request as much as another: no single one, such as the first, decides. */
  #renewMean(nowMs: number): void {
    if (this.#left === 0 || nowMs - this.#windowBeganAtMs < WINDOW_MS) return
    const { runMs } = this.#done
    this.#lately.runMs = this.#lately.runMs / 2 + runMs - this.#lastRunMs
    this.#lately.requests = this.#lately.requests / 2 + this.#left
    this.#meanRunMs = this.#lately.runMs / this.#lately.requests
    this.#lastRunMs = runMs
    this.#left = 0
    this.#windowBeganAtMs = nowMs
  }
}
