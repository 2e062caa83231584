/** Number of jobs that wait for each thread: one is the least that keeps it busy while a reply and a job travel. */
const AHEAD = { min: 1, max: 64 }
/** Milliseconds of work that wait for each thread while the apps have more: longer than the way to them and back. */
const AHEAD_MS = 20
/**
 * The room shrinks to this share of itself at a time. If it fell at once, the jobs that were held would wait in the apps
 * again, because they come from clients that ask again.
 */
const SHRINK = 7 / 8
/** Weight of one job in the mean duration of jobs. */
const SHARE = 1 / 16

/**
 * The number of jobs that a worker holds at the same time. While apps have more jobs than the workers take, it is some milliseconds
 * of work, so a slow worker holds fewer jobs than a fast one: jobs that wait here cannot go to another.
 */
export class Room {
  /** Number of jobs; 0 once it is closed. */
  slots: number
  readonly #threads: number
  /** Until a job is done, nobody knows how short it is. */
  #meanRunMs = Number.POSITIVE_INFINITY
  #isPressed = false

  constructor(threads: number) {
    this.#threads = threads
    this.slots = threads * (1 + AHEAD.min)
  }

  /** Notes that an app has further jobs that wait. */
  press(): void {
    this.#isPressed = true
  }

  noteRun(runMs: number): void {
    const before = Number.isFinite(this.#meanRunMs) ? this.#meanRunMs : runMs
    this.#meanRunMs = before + (runMs - before) * SHARE
  }

  /** Has to be called now and then. @returns whether the number of slots has changed */
  adapt(): boolean {
    if (this.slots === 0) return false
    const before = this.slots
    this.slots = this.#isPressed
      ? this.#slotsFor(Math.ceil(AHEAD_MS / this.#meanRunMs))
      : Math.max(this.#slotsFor(AHEAD.min), Math.floor(before * SHRINK))
    this.#isPressed = false
    return this.slots !== before
  }

  close(): void {
    this.slots = 0
  }

  /** @param ahead the number of jobs that wait for each thread */
  #slotsFor(ahead: number): number {
    return this.#threads * (1 + Math.min(AHEAD.max, Math.max(AHEAD.min, ahead)))
  }
}
