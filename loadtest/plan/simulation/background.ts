import type { SteadyCost } from '../demands.ts'
import type { Agenda } from './agenda.ts'
import type { Server } from './thread.ts'

/** How often a thread works for what it does at all times. This is an assumption. */
const INTERVAL_MICROS = 100_000

/**
 * Work for which no request waits, such as collecting garbage and compiling code: by several threads at once, partly at all
 * times, and partly in bursts, each for this many requests.
 */
export class Background {
  readonly #threads: readonly Server[]
  readonly #requestsABurst: number
  readonly #microsARequest: number
  #requests = 0

  constructor(agenda: Agenda, threads: readonly Server[], cost: SteadyCost, requestsABurst: number) {
    this.#threads = threads
    this.#requestsABurst = requestsABurst
    this.#microsARequest = cost.microsARequest
    workSteadily(agenda, threads, cost, INTERVAL_MICROS)
  }

  /** Adds the work of one request. */
  addRequest(): void {
    if (++this.#requests < this.#requestsABurst) return
    divide(this.#threads, this.#microsARequest * this.#requests)
    this.#requests = 0
  }
}

/** Lets threads do at intervals what they do with or without requests. */
export function workSteadily(
  agenda: Agenda,
  threads: readonly Server[],
  { microsASecond }: SteadyCost,
  intervalMicros: number,
): void {
  if (microsASecond === 0) return
  const work = () => {
    divide(threads, (microsASecond * intervalMicros) / 1e6)
    agenda.after(intervalMicros, work)
  }
  agenda.after(intervalMicros, work)
}

const divide = (threads: readonly Server[], cpuMicros: number) => {
  for (const thread of threads) thread.work(cpuMicros / threads.length)
}
