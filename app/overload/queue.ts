/** What a request may have to wait for, besides the main thread. */
export type Need = 'compute' | 'rendering' | 'upstream'

/** Where work waits for its turn: a pool, or the main thread where it does a pool's work. */
export interface Queue {
  /** How many do its work at once. */
  readonly workers: number
  /** How long the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number
}

/** The main thread as a queue: it begins at once what it is asked for, so that nothing is seen to wait. */
export const mainThreadQueue: Queue = { workers: 1, oldestWaitMs: () => 0 }

/** How often the mean is renewed. */
const WINDOW_MS = 250

/**
 * A queue, and the requests that will need it: a request is counted from the moment it is admitted, also while it still waits for
 * something else, since by then others can no longer be told to stay away.
 */
export class WatchedQueue {
  readonly #queue: Queue
  /** How long the queue's workers have worked so far. */
  readonly #done: { readonly runMs: number }
  #inFlight = 0
  /** Total work, in milliseconds, and number of the requests that left lately. */
  readonly #lately = { runMs: 0, requests: 0 }
  #meanRunMs = 0
  #left = 0
  #lastRunMs = 0
  #windowBeganAtMs = 0

  constructor(queue: Queue, done: { readonly runMs: number }) {
    this.#queue = queue
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
    const workMs = (this.#inFlight * this.#meanRunMs) / this.#queue.workers
    return Math.max(workMs, this.#queue.oldestWaitMs())
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
