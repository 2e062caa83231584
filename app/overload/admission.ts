import type { Need, WatchedLane } from './lane.ts'
import { LoopTurn } from './loop-turn.ts'

/** The reason of a refusal: the part of the app for which the request would have waited too long. */
export type Congestion = 'event loop' | Need

/** Decides whether requests are admitted before they cost anything. */
export interface Gate {
  /**
   * Admits a request. An admitted request has to `leave` later.
   * @param nowMs the time by `performance.now()`
   * @returns undefined, or the reason of the refusal
   */
  enter(needs: readonly Need[], nowMs: number): Congestion | undefined
  leave(needs: readonly Need[]): void
}

/**
 * The admission control of an app. When few requests are in flight, a request may wait for half of its time budget; the
 * other half is left for its work.
 */
export const createGate = (
  { maxWaitMs, requestTimeoutMs }: { readonly maxWaitMs: number; readonly requestTimeoutMs: number },
  lanes: AdmissionOptions['lanes'],
): Gate => new Admission({ maxWaitMs, patienceMs: Math.max(maxWaitMs, requestTimeoutMs / 2), lanes })

interface AdmissionOptions {
  /** The longest wait when many requests are in flight. */
  readonly maxWaitMs: number
  /** The longest wait when few requests are in flight; never less than `maxWaitMs`. */
  readonly patienceMs: number
  readonly lanes: Readonly<Record<Need, WatchedLane>>
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
 * lane is always admitted.
 *
 *     expected wait = requests admitted before × work of one of them / workers      (per lane, Little's law)
 *                     or the age of the first in line, or of the event loop's turn
 */
export class Admission implements Gate {
  readonly #options: AdmissionOptions
  readonly #turn = new LoopTurn()

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  enter(needs: readonly Need[], nowMs: number): Congestion | undefined {
    const { maxWaitMs, lanes } = this.#options
    if (needs.length === 0) return undefined
    if (this.#turn.lastedMs(nowMs) > maxWaitMs) return 'event loop'
    for (const need of needs) if (this.#isCongested(lanes[need], nowMs)) return need
    for (const need of needs) lanes[need].enter()
    return undefined
  }

  #isCongested(lane: WatchedLane, nowMs: number): boolean {
    const { maxWaitMs, patienceMs } = this.#options
    return lane.expectedWaitMs(nowMs) > (lane.inFlight < FEW ? patienceMs : maxWaitMs)
  }

  leave(needs: readonly Need[]): void {
    for (const need of needs) this.#options.lanes[need].leave()
  }
}
