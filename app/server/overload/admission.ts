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

interface AdmissionOptions {
  /** The longest wait when many requests are in flight. */
  readonly maxWaitMs: number
  /** The longest wait when few requests are in flight; never less than `maxWaitMs`. */
  readonly patienceMs: number
  readonly queues: Readonly<Record<Need, WatchedQueue>>
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
  readonly #options: AdmissionOptions
  readonly #turn = new LoopTurn()

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * Admits a request, which has to leave afterwards.
   * @param nowMs the time by `performance.now()`
   * @returns undefined, or the reason of the refusal
   */
  enter(needs: readonly Need[], nowMs: number): Congestion | undefined {
    const { maxWaitMs, queues } = this.#options
    if (needs.length === 0) return undefined
    if (this.#turn.lastedMs(nowMs) > maxWaitMs) return 'event loop'
    for (const need of needs) if (this.#isCongested(queues[need], nowMs)) return need
    for (const need of needs) queues[need].enter()
    return undefined
  }

  #isCongested(queue: WatchedQueue, nowMs: number): boolean {
    const { maxWaitMs, patienceMs } = this.#options
    return queue.expectedWaitMs(nowMs) > (queue.inFlight < FEW ? patienceMs : maxWaitMs)
  }

  leave(needs: readonly Need[]): void {
    for (const need of needs) this.#options.queues[need].leave()
  }
}

interface AdmissionConfig {
  readonly maxWaitMs: number
  readonly requestTimeoutMs: number
  readonly overload: 'refuse' | 'none'
}

/**
 * The admission control of an app. When few requests are in flight, a request may wait for half of its time budget; the
 * other half is left for its work. Without protection from overload, no wait is too long.
 */
export function createAdmission(
  { maxWaitMs, requestTimeoutMs, overload }: AdmissionConfig,
  queues: AdmissionOptions['queues'],
): AdmissionControl {
  const longestMs = overload === 'none' ? Number.POSITIVE_INFINITY : maxWaitMs
  return new AdmissionControl({
    maxWaitMs: longestMs,
    patienceMs: Math.max(longestMs, requestTimeoutMs / 2),
    queues,
  })
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
