/** A place in which work waits for its turn: a pool, or the main thread if it does the work of a pool. */
export interface Queue {
  /** Number of jobs that run at the same time. */
  readonly workers: number
  /** Milliseconds for which the first in line has waited; 0 when none waits. */
  oldestWaitMs(): number
}

/** The main thread as a queue. It begins its work at once, so no waiting can be seen. */
export const mainThreadQueue: Queue = { workers: 1, oldestWaitMs: () => 0 }

/** The interval at which the mean is renewed. */
const WINDOW_MS = 250

/**
 * A queue with the requests that will need it. A request is counted from its admission on, even while it still waits for
 * another queue: it can then no longer be refused, so later requests have to wait for it.
 */
export class WatchedQueue {
  readonly #queue: Queue
  /** Milliseconds of work that the queue's workers have done so far. */
  readonly #done: { readonly runMs: number }
  #inFlight = 0
  /** Total work, in milliseconds, and number of the requests that finished lately. */
  readonly #lately = { runMs: 0, requests: 0 }
  #meanRunMs = 0
  #left = 0
  #lastRunMs = 0
  #windowBeganAtMs = 0

  constructor(queue: Queue, done: { readonly runMs: number }) {
    this.#queue = queue
    this.#done = done
  }

  /** Number of requests that were admitted and are not finished. */
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
   * The expected wait of a new request, in milliseconds: the number of requests before it times the mean work of one; or the wait
   * of the first in line, if that is longer: the mean cannot show a queue that hangs.
   */
  expectedWaitMs(nowMs: number): number {
    this.#renewMean(nowMs)
    const workMs = (this.#inFlight * this.#meanRunMs) / this.#queue.workers
    return Math.max(workMs, this.#queue.oldestWaitMs())
  }

  /** Each window counts half as much as the next one, so that no single request, such as the first, decides. */
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
