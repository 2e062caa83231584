import { monotonicMs } from '../units.ts'

/** What is looked at: something that works, and a value that changes when it gets further. */
export type Progress<Key> = readonly (readonly [Key, progress: string | number])[]

const LOOKS_PER_LIMIT = 8

/**
 * Finds what works and gets no further for longer than a limit, by at most a quarter. It only looks now and then, so that
 * a task costs nothing more.
 */
export class ProgressWatch<Key> {
  readonly #limitMs: number
  readonly #read: () => Progress<Key>
  readonly #onStuck: (key: Key) => void
  readonly #timer: NodeJS.Timeout
  #seen = new Map<Key, { readonly progress: string | number; readonly sinceMs: number }>()
  #lookedAtMs = monotonicMs()

  /** @param read gives what works now, and nothing that is idle */
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
    // The main thread itself, or the whole process, stood still: what was done meanwhile is not seen yet.
    const wasAway = nowMs - this.#lookedAtMs > this.#limitMs
    this.#lookedAtMs = nowMs
    const last = wasAway ? new Map() : this.#seen
    this.#seen = new Map()
    for (const [key, progress] of this.#read()) {
      const before = last.get(key)
      const sinceMs = before?.progress === progress ? before.sinceMs : nowMs
      this.#seen.set(key, { progress, sinceMs })
      if (nowMs - sinceMs >= this.#limitMs) this.#onStuck(key)
    }
  }
}
