import type { SteadyCost } from '../demands.ts'
import type { Agenda } from './agenda.ts'
import type { Server } from './thread.ts'

/** How often a thread works for what it does at all times. This is an assumption. */
const INTERVAL_MICROS = 100_000

/** A part of the work for requests, which is done at once for many of them. */
export interface Burst {
  /** The share of the work that is done in such bursts. */
  readonly share: number
  /** A burst is for this many requests. */
  readonly requests: number
  /** The number of threads that divide a burst among them. */
  readonly threads: number
}

/**
 * Work for which no request waits, such as collecting garbage and compiling code: partly at all times, and for requests in
 * bursts of several kinds.
 */
export class Background {
  readonly #threads: readonly Server[]
  readonly #microsARequest: number
  readonly #bursts: readonly Burst[]
  #requests = 0

  constructor(agenda: Agenda, threads: readonly Server[], cost: SteadyCost, bursts: readonly Burst[]) {
    this.#threads = threads
    this.#microsARequest = cost.microsARequest
    this.#bursts = bursts
    workSteadily(agenda, threads, cost, INTERVAL_MICROS)
  }

  /** Adds the work of one request. */
  addRequest(): void {
    this.#requests++
    for (const { share, requests, threads } of this.#bursts)
      if (this.#requests % requests === 0)
        divide(this.#threads.slice(0, threads), share * this.#microsARequest * requests)
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
