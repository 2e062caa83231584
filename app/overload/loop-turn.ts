import { performance } from 'node:perf_hooks'

/**
 * How long the event loop's turn has lasted. All requests of a turn had arrived when it began, or came since: whoever is
 * looked at late has waited that long, and up to a turn before. Nothing is scheduled for it, no timer measures it: libuv
 * counts its turns, and to read the counter takes 0.03 µs.
 */
export class LoopTurn {
  #turn = -1
  #beganAtMs = 0

  /** @param nowMs by whatever clock, each time the same */
  lastedMs(nowMs: number): number {
    const turn = performance.nodeTiming.uvMetricsInfo.loopCount
    if (turn !== this.#turn) {
      this.#turn = turn
      this.#beganAtMs = nowMs
    }
    return nowMs - this.#beganAtMs
  }
}
