import { performance } from 'node:perf_hooks'
import type { WatchedQueue } from '../../../lib/main-thread/watched-queue.ts'

/** The resources, besides the main thread, for which a request may have to wait. */
export type Need = 'compute' | 'rendering' | 'upstream'

/** The queues in which the requests of a route may have to wait. A route without needs is never refused and has no deadline. */
export const needs = {
  task: ['compute'],
  orders: ['compute', 'upstream'],
  page: ['upstream', 'rendering'],
} as const satisfies Readonly<Record<string, readonly Need[]>>

/** The reason of a refusal: the part of the app for which the request would have waited too long. */
export type Congestion = 'event loop' | Need

interface AdmissionConfig {
  /** The longest wait when many requests are in flight. */
  readonly maxWaitMs: number
  readonly requestTimeoutMs: number
  /** With `none`, no wait is too long. */
  readonly overload: 'refuse' | 'none'
}

/**
 * With 64 or fewer requests in flight, which is two full messages to a thread, waiting is cheaper than refusing.
 * Refused clients that come again at once keep the main thread busy, and it then takes its core from the workers, whose
 * priority is lower. The workers are then slow because of refusals, and requests are refused because the workers are
 * slow, long after the original cause is over.
 */
const FEW = 64

/**
 * Admits a request unless it would have to wait too long. A busy main thread is no overload: fifty clients of a main
 * thread without an idle moment wait 75 ms and are served, so utilization is not a criterion. A request that needs no
 * queue is always admitted.
 *
 *     expected wait = requests admitted before × work of one of them / workers      (per queue, Little's law)
 *                     or the age of the first in line, or of the event loop's turn
 */
export class AdmissionControl {
  readonly #maxWaitMs: number
  /** The longest wait when few requests are in flight: half of their time budget. The other half is left for their work. */
  readonly #patienceMs: number
  readonly #queues: Readonly<Record<Need, WatchedQueue>>
  readonly #turn = new LoopTurn()

  constructor(
    { maxWaitMs, requestTimeoutMs, overload }: AdmissionConfig,
    queues: Readonly<Record<Need, WatchedQueue>>,
  ) {
    this.#maxWaitMs = overload === 'none' ? Number.POSITIVE_INFINITY : maxWaitMs
    this.#patienceMs = Math.max(this.#maxWaitMs, requestTimeoutMs / 2)
    this.#queues = queues
  }

  /**
   * Admits a request, which has to leave afterwards.
   * @param nowMs the time by `performance.now()`
   * @returns undefined, or the reason of the refusal
   */
  enter(needs: readonly Need[], nowMs: number): Congestion | undefined {
    if (needs.length === 0) return undefined
    if (this.#turn.lastedMs(nowMs) > this.#maxWaitMs) return 'event loop'
    for (const need of needs) if (this.#isCongested(this.#queues[need], nowMs)) return need
    for (const need of needs) this.#queues[need].enter()
    return undefined
  }

  #isCongested(queue: WatchedQueue, nowMs: number): boolean {
    return queue.expectedWaitMs(nowMs) > (queue.inFlight < FEW ? this.#patienceMs : this.#maxWaitMs)
  }

  leave(needs: readonly Need[]): void {
    for (const need of needs) this.#queues[need].leave()
  }
}

/**
 * Measures how long the present turn of the event loop has lasted. A request that is looked at late in a turn has
 * waited that long, and perhaps also during the turn before. No timer is needed: libuv counts its turns.
 */
class LoopTurn {
  #turn = -1
  #beganAtMs = 0

  /** @param nowMs the time by any clock, the same one in every call */
  lastedMs(nowMs: number): number {
    const turn = performance.nodeTiming.uvMetricsInfo.loopCount
    if (turn !== this.#turn) {
      this.#turn = turn
      this.#beganAtMs = nowMs
    }
    return nowMs - this.#beganAtMs
  }
}
