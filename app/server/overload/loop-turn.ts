import { performance } from 'node:perf_hooks'

/**
 * Measures how long the present turn of the event loop has lasted. A request that is looked at late in a turn has
 * waited that long, and perhaps also during the turn before. No timer is needed: libuv counts its turns.
 */
export class LoopTurn {
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
