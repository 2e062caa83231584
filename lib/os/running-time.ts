import { performance } from 'node:perf_hooks'

const SLICE_MS = 500
const SLICES = 4

/**
 * Calls back after this process has run for `limitMs` milliseconds. After a stop (SIGSTOP, a suspended machine) or a
 * long block of the thread, all timers are due before waiting input is read. A limit that counted the time of the stop
 * would give up, or kill, a healthy process. Therefore the time is counted in slices, and a slice that takes longer
 * than planned counts as one slice.
 * @param isRef whether the timer keeps the process alive
 * @returns a function that cancels the callback
 */
export function afterRunning(limitMs: number, callback: () => void, isRef = true): () => void {
  const sliceMs = Math.min(SLICE_MS, limitMs / SLICES)
  let leftMs = limitMs
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(count, sliceMs)
    if (!isRef) timer.unref()
  }
  const count = () => {
    leftMs -= sliceMs
    if (leftMs > 0) wait()
    else callback()
  }
  wait()
  return () => clearTimeout(timer)
}

/** Resolves after this process has run for `limitMs` milliseconds. It does not keep the process alive. */
export const runningDelay = (limitMs: number): Promise<void> =>
  new Promise(resolve => {
    afterRunning(limitMs, resolve, false)
  })

/** The interval at which the clock is read, and the most that it advances between two readings. */
const TICK_MS = 1000

/** A monotonic clock in milliseconds. A pause of this process advances it by at most a second. */
export class RunningClock {
  #ranMs = 0
  #readAtMs = performance.now()
  readonly #timer = setInterval(() => this.nowMs(), TICK_MS).unref()

  nowMs(): number {
    const nowMs = performance.now()
    this.#ranMs += Math.min(nowMs - this.#readAtMs, TICK_MS)
    this.#readAtMs = nowMs
    return this.#ranMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
