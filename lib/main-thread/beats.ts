import { performance } from 'node:perf_hooks'
import { outside } from '../threads/outside.ts'

export const BEAT_MS = 250
/** A timer may fire early by this much. It then still belongs to the next beat, and not to the one before. */
const EARLY_MS = 10

/**
 * Does all work that can wait at the same moments, so that an idle thread is woken once for all of it, as Linux does with
 * timers that may be late (`round_jiffies`), outside of the context of any request. Work that waits does not keep the process alive: its owner does it at the end.
 */
export class Beats {
  /** The functions that wait, and the number of the beat at which each is called. */
  readonly #waiting = new Map<() => void, number>()
  #timer: NodeJS.Timeout | undefined
  #timerBeat = Number.POSITIVE_INFINITY

  /** Calls `run` once, at the next beat, or that of every second one, and so on. A function that waits stays at its beat. */
  call(run: () => void, every = 1): void {
    if (this.#waiting.has(run)) return
    const beat = (Math.floor((performance.now() + EARLY_MS) / BEAT_MS / every) + 1) * every
    this.#waiting.set(run, beat)
    this.#wakeAt(beat)
  }

  cancel(run: () => void): void {
    this.#waiting.delete(run)
    if (this.#waiting.size > 0) return
    clearTimeout(this.#timer)
    this.#timerBeat = Number.POSITIVE_INFINITY
  }

  #wakeAt(beat: number): void {
    if (beat >= this.#timerBeat) return
    clearTimeout(this.#timer)
    this.#timerBeat = beat
    // A thread that was busy for longer than a beat has missed some.
    const leftMs = Math.max(1, Math.ceil(beat * BEAT_MS - performance.now()))
    this.#timer = outside(() => setTimeout(() => this.#callDue(), leftMs).unref())
  }

  #callDue(): void {
    const due = [...this.#waiting].filter(([, beat]) => beat <= this.#timerBeat).map(([run]) => run)
    this.#timerBeat = Number.POSITIVE_INFINITY
    for (const run of due) this.#waiting.delete(run)
    if (this.#waiting.size > 0) this.#wakeAt(Math.min(...this.#waiting.values()))
    for (const run of due) outside(run)
  }
}

export const beats = new Beats()
