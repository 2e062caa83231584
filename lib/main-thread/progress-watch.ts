import { monotonicMs } from '../units.ts'

/** The busy workers, each with a value that changes when the worker makes progress. */
export type Progress<Key> = readonly (readonly [Key, progress: string | number])[]

const LOOKS_PER_LIMIT = 8

/**
 * Finds workers that make no progress for longer than a limit. It finds them at most a quarter of the limit late,
 * because it only looks at intervals, which adds no cost to a task.
 */
export class ProgressWatch<Key> {
  readonly #limitMs: number
  readonly #read: () => Progress<Key>
  readonly #onStuck: (key: Key) => void
  readonly #timer: NodeJS.Timeout
  #seen = new Map<Key, { readonly progress: string | number; readonly stuckMs: number }>()
  #lookedAtMs = monotonicMs()

  /** @param read returns the workers that are busy now, without idle ones */
  constructor(limitMs: number, read: () => Progress<Key>, onStuck: (key: Key) => void) {
    this.#limitMs = limitMs
    this.#read = read
    this.#onStuck = onStuck
    this.#timer = setInterval(() => this.#look(), limitMs / LOOKS_PER_LIMIT).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const nowMs = monotonicMs()
    // The main thread, or the whole process, may have been blocked. Progress of that time has not been read yet.
    const sinceLookMs = Math.min(nowMs - this.#lookedAtMs, (2 * this.#limitMs) / LOOKS_PER_LIMIT)
    this.#lookedAtMs = nowMs
    const last = this.#seen
    this.#seen = new Map()
    for (const [key, progress] of this.#read()) {
      const before = last.get(key)
      const stuckMs = before?.progress === progress ? before.stuckMs + sinceLookMs : 0
      this.#seen.set(key, { progress, stuckMs })
      if (stuckMs >= this.#limitMs) this.#onStuck(key)
    }
  }
}
