import { JOBS_PER_MESSAGE, MESSAGES_PER_THREAD } from '../../../lib/main-thread/thread-messages.ts'
import type { SimulatedThread } from './thread.ts'

/** A job of a pool: it adds work to its thread, and calls `finished` when it is done. */
type Job = (thread: SimulatedThread, finished: () => void) => void

interface Waiting {
  readonly job: Job
  /** Called when the reply has arrived. */
  readonly replied: () => void
}

/**
 * A pool of threads behind a queue on the main thread, as `lib/main-thread/work-queue.ts`: two messages for each thread
 * may be unanswered, and a message takes more jobs the more of them wait.
 */
export class SimulatedPool {
  readonly threads: readonly SimulatedThread[]
  readonly #mainThread: SimulatedThread
  readonly #replyMicros: () => number
  readonly #waiting: Waiting[] = []
  readonly #messages: Map<SimulatedThread, number>
  readonly #slots: number
  #freeSlots: number

  /** @param replyMicros CPU time that the main thread needs to go on with a request after the reply */
  constructor(mainThread: SimulatedThread, threads: readonly SimulatedThread[], replyMicros: () => number) {
    this.threads = threads
    this.#mainThread = mainThread
    this.#replyMicros = replyMicros
    this.#messages = new Map(threads.map(thread => [thread, 0]))
    this.#slots = threads.length * MESSAGES_PER_THREAD
    this.#freeSlots = this.#slots
  }

  run(job: Job, replied: () => void): void {
    this.#waiting.push({ job, replied })
    this.#handOut()
  }

  #handOut(): void {
    while (this.#waiting.length > 0 && this.#freeSlots > 0) {
      this.#freeSlots--
      const share = Math.ceil(this.#waiting.length / this.#slots)
      this.#send(this.#waiting.splice(0, Math.min(JOBS_PER_MESSAGE, share)))
    }
  }

  #send(jobs: readonly Waiting[]): void {
    const thread = this.#findIdlest()
    this.#count(thread, 1)
    let open = jobs.length
    for (const { job } of jobs)
      job(thread, () => {
        if (--open > 0) return
        this.#count(thread, -1)
        this.#reply(jobs)
      })
  }

  /** One message brings all replies. The main thread first sends the next jobs, then goes on with each request. */
  #reply(jobs: readonly Waiting[]): void {
    this.#mainThread.work(0, () => {
      this.#freeSlots++
      this.#handOut()
    })
    for (const { replied } of jobs) this.#mainThread.work(this.#replyMicros(), replied)
  }

  #count(thread: SimulatedThread, change: number): void {
    this.#messages.set(thread, (this.#messages.get(thread) ?? 0) + change)
  }

  #findIdlest(): SimulatedThread {
    return this.threads.reduce((best, thread) =>
      (this.#messages.get(thread) ?? 0) < (this.#messages.get(best) ?? 0) ? thread : best,
    )
  }
}
