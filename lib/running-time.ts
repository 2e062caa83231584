import { performance } from 'node:perf_hooks'

const SLICE_MS = 500
const SLICES = 4

/**
 * Calls back after so much time in which this process ran. A process that was stopped (SIGSTOP, a suspended machine), or
 * whose thread was busy, finds its timers due before it has read what came meanwhile: a limit that counted that time
 * would give up, or kill, what is alive. The time is therefore counted in slices, and one that takes longer counts as one.
 * @param isRef whether it keeps the process alive
 * @returns how to cancel it
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

/** Resolves after so much time in which this process ran; does not keep it alive. */
export const runningDelay = (limitMs: number): Promise<void> =>
  new Promise(resolve => {
    afterRunning(limitMs, resolve, false)
  })

/** A monotonic clock that a pause of this process moves by a second at most. */
export class RunningClock {
  #ranMs = 0
  #readAtMs = performance.now()
  readonly #timer = setInterval(() => this.nowMs(), SLICE_MS).unref()

  nowMs(): number {
    const nowMs = performance.now()
    this.#ranMs += Math.min(nowMs - this.#readAtMs, 2 * SLICE_MS)
    this.#readAtMs = nowMs
    return this.#ranMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
