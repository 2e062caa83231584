import type { SimulatedThread } from './thread.ts'

/**
 * Work for which no request waits, such as collecting garbage: it is done in bursts, each for this many requests, by
 * several threads at once.
 */
export class Background {
  readonly #threads: readonly SimulatedThread[]
  readonly #requests: number
  #count = 0
  #micros = 0

  constructor(threads: readonly SimulatedThread[], requests: number) {
    this.#threads = threads
    this.#requests = requests
  }

  /** Adds the work of one request. */
  add(cpuMicros: number): void {
    this.#micros += cpuMicros
    if (++this.#count < this.#requests) return
    for (const thread of this.#threads) thread.work(this.#micros / this.#threads.length)
    this.#count = 0
    this.#micros = 0
  }
}
