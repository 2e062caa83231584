import type { SlotMarks } from '../lib/threads/thread-setup.ts'
import { CodedError } from '../lib/threads/thrown.ts'
import { MAX_DURATION_MS } from '../lib/units.ts'
import type { JobRun } from './job-run.ts'

/** The asynchronous tasks of a thread that run beside each other. */
export class AsyncTasks {
  readonly #most: number
  readonly #limitMs: number
  readonly #beats: SlotMarks
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param most the number of tasks that run at the same time, each for `limitMs` at most
   * @param beats changes while there are tasks, unless one of them blocks the thread
   */
  constructor(most: number, limitMs: number, beats: SlotMarks) {
    this.#most = most
    this.#limitMs = Math.min(limitMs, MAX_DURATION_MS)
    this.#beats = beats
  }

  /** Adds the tasks of a job, which have begun. @returns a promise that resolves when a further job may begin, unless one may now */
  add(run: JobRun, running: Promise<void>): Promise<void> | undefined {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      run.giveUp(new CodedError('TASK_TIMEOUT', 'it took too long'))
      resolve()
    }, this.#limitMs)
    const ended: Promise<void> = Promise.race([running, late]).then(() => {
      clearTimeout(timer)
      this.#remove(ended)
    })
    this.#running.add(ended)
    this.#timer ??= setInterval(() => Atomics.add(this.#beats, 0, 1), this.#limitMs / 8)
    return this.#running.size < this.#most ? undefined : Promise.race(this.#running)
  }

  #remove(ended: Promise<void>): void {
    this.#running.delete(ended)
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
