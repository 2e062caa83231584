import type { Need, WatchedLane } from './lane.ts'
import { LoopTurn } from './loop-turn.ts'

/** What a request would have waited too long for. */
export type Congestion = 'event loop' | Need

/** Decides about requests before they cost anything. */
export interface Gate {
  /**
   * Admits a request, who then has to leave.
   * @param nowMs by `performance.now()`
   * @returns undefined, or why it is not admitted
   */
  enter(needs: readonly Need[], nowMs: number): Congestion | undefined
  leave(needs: readonly Need[]): void
}

interface AdmissionOptions {
  readonly maxWaitMs: number
  readonly lanes: Readonly<Record<Need, WatchedLane>>
}

/** A request waits up to a turn of the event loop before its own, and then in its own. */
const TURNS_WAITED = 2

/**
 * Admits a request unless it would have to wait longer than `maxWaitMs`: being busy is no overload. Fifty clients of a
 * main thread that has no idle moment wait 75 ms, and are served; utilization is therefore no criterion. Who needs
 * nothing is always admitted.
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
    if (this.#turn.lastedMs(nowMs) * TURNS_WAITED > maxWaitMs) return 'event loop'
    for (const need of needs) if (lanes[need].expectedWaitMs(nowMs) > maxWaitMs) return need
    for (const need of needs) lanes[need].enter()
    return undefined
  }

  leave(needs: readonly Need[]): void {
    for (const need of needs) this.#options.lanes[need].leave()
  }
}
