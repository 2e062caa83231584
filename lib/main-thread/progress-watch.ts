import { monotonicMs } from '../units.ts'

/**
 * The workers that have something to do, each with a value that changes when the worker makes progress; null if it has
 * not begun, because that may take any time.
 */
export type Progress<Key> = readonly (readonly [Key, progress: string | number | null])[]

const LOOKS_PER_LIMIT = 8
const MAX_INTERVAL_MS = 1000

/**
 * Finds workers that make no progress for longer than a limit. It finds them at most a quarter of the limit late,
 * because it only looks at intervals, which adds no cost to a task. When no worker has anything to do, it stops looking,
 * so that it does not wake an idle main thread.
 */
export class ProgressWatch<Key> {
  readonly #limitMs: number
  readonly #intervalMs: number
  readonly #read: () => Progress<Key>
  readonly #onStuck: (key: Key) => void
  readonly #onSlow: ((key: Key) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #seen = new Map<Key, { readonly progress: string | number; readonly stuckMs: number }>()
  #lookedAtMs = 0

  /**
   * @param limitMs may be Infinity
   * @param read returns the workers that have something to do now, without idle ones
   * @param onSlow is called at each look for a worker that has made no progress since the last one
   */
  constructor(
    limitMs: number,
    read: () => Progress<Key>,
    onStuck: (key: Key) => void,
    onSlow?: (key: Key) => void,
  ) {
    this.#limitMs = limitMs
    this.#intervalMs = Math.min(MAX_INTERVAL_MS, limitMs / LOOKS_PER_LIMIT)
    this.#read = read
    this.#onStuck = onStuck
    this.#onSlow = onSlow
  }

  /** Has to be called whenever a worker is given something to do. It costs next to nothing while the watch looks. */
  wake(): void {
    if (this.#timer) return
    this.#lookedAtMs = monotonicMs()
    this.#timer = setInterval(() => this.#look(), this.#intervalMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const nowMs = monotonicMs()
    // The main thread, or the whole process, may have been blocked. Progress of that time has not been read yet.
    const sinceLookMs = Math.min(nowMs - this.#lookedAtMs, 2 * this.#intervalMs)
    this.#lookedAtMs = nowMs
    const last = this.#seen
    this.#seen = new Map()
    const workers = this.#read()
    if (workers.length === 0) this.close()
    for (const [key, progress] of workers) {
      if (progress === null) continue
      const before = last.get(key)
      const stuckMs = before?.progress === progress ? before.stuckMs + sinceLookMs : 0
      this.#seen.set(key, { progress, stuckMs })
      if (stuckMs >= this.#limitMs) this.#onStuck(key)
      else if (stuckMs > 0) this.#onSlow?.(key)
    }
  }
}
