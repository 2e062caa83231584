import type { RequestContext } from '../app/context.ts'
import type { Lane } from '../app/overload/lane.ts'
import { Problem, type ProblemCode } from '../app/problems.ts'
import { monotonicMs } from '../lib/units.ts'

export type Outcome<Reply> =
  /** One a job. */
  { readonly kind: 'replies'; readonly replies: readonly Reply[] } | Lost

/** What ran the jobs died, when `started` of them had been started. */
export interface Lost {
  readonly kind: 'lost'
  readonly started: number
  /** The problem of the one that ran, where it is not the usual one. */
  readonly code?: ProblemCode | undefined
  /** For the log. */
  readonly why?: string | undefined
}

interface WorkQueueOptions<Call, Reply> {
  /** How many threads or processes take from it. */
  readonly workers: number
  /** How many messages may be out. */
  readonly slots: number
  readonly jobsPerMessage: number
  /** The problem of a request whose job died with what ran it. */
  readonly lost: ProblemCode
  /** Hands jobs out in one message; never rejects. */
  dispatch(calls: readonly Call[], slot: number): Promise<Outcome<Reply>>
}

/** What became of a job, and when it was asked for by the monotonic clock. */
export interface Answered<Reply> {
  readonly reply: Reply
  readonly askedAtMs: number
}

/** Work of one request that travels together. */
interface Job<Call, Reply> {
  readonly call: Call
  readonly context: RequestContext
  /** When it must have begun, by {@link monotonicMs}. */
  readonly deadline: number
  readonly askedAtMs: number
  /** How often it was handed out to something that died before it started. */
  losses: number
  resolve(answered: Answered<Reply>): void
  reject(problem: unknown): void
}

const MAX_LOSSES = 3

/**
 * Work waits here, on the main thread, and not in the pool, so that a job whose client is gone or whose deadline has
 * passed can be taken out at the cost of a Set entry: an AbortSignal would make Piscina run a task alone on its
 * thread. First in, first out. Each of `slots` holds what was handed out in one message; two slots a thread keep it busy
 * while an answer travels. A message has one job while few wait, and more when they have to wait anyway.
 */
export class WorkQueue<Call, Reply> implements Lane {
  readonly workers: number
  readonly #waiting = new Set<Job<Call, Reply>>()
  readonly #freeSlots: number[]
  readonly #options: WorkQueueOptions<Call, Reply>
  #alarm: NodeJS.Timeout | undefined
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(options: WorkQueueOptions<Call, Reply>) {
    this.#options = options
    this.workers = options.workers
    this.#freeSlots = Array.from({ length: options.slots }, (_, slot) => slot)
  }

  /** How many jobs wait. */
  get length(): number {
    return this.#waiting.size
  }

  oldestWaitMs(): number {
    if (this.#waiting.size === 0) return 0
    const [first] = this.#waiting
    return monotonicMs() - (first as Job<Call, Reply>).askedAtMs
  }

  /**
   * @param deadline the request's, unless this work has to begin sooner
   * @throws Problem DEADLINE_PASSED, CLIENT_GONE, or `lost`
   */
  run(context: RequestContext, call: Call, deadline = context.deadline): Promise<Answered<Reply>> {
    return new Promise((resolve, reject) => {
      const job = { call, context, deadline, askedAtMs: monotonicMs(), losses: 0, resolve, reject }
      this.#waiting.add(job)
      if (context.gone) return this.#giveUp(job, 'CLIENT_GONE')
      if (deadline <= monotonicMs()) return this.#giveUp(job, 'DEADLINE_PASSED')
      this.#handOut()
      this.#guard(job)
    })
  }

  #handOut(): void {
    while (this.#waiting.size > 0) {
      const slot = this.#freeSlots.pop()
      if (slot === undefined) return
      void this.#follow(this.#takeFirst(), slot)
    }
  }

  /** A slot's share of those that wait. */
  #takeFirst(): Job<Call, Reply>[] {
    const { slots, jobsPerMessage } = this.#options
    const jobs = [
      ...this.#waiting.values().take(Math.min(jobsPerMessage, Math.ceil(this.#waiting.size / slots))),
    ]
    for (const job of jobs) this.#waiting.delete(job)
    return jobs
  }

  async #follow(jobs: readonly Job<Call, Reply>[], slot: number): Promise<void> {
    const calls = jobs.map(({ call }) => call)
    const outcome = await this.#options.dispatch(calls, slot)
    this.#freeSlots.push(slot)
    if (outcome.kind === 'lost') this.#recover(jobs, outcome)
    else
      for (const [index, { resolve, askedAtMs }] of jobs.entries())
        resolve({ reply: outcome.replies[index] as Reply, askedAtMs })
    this.#handOut()
  }

  /**
   * The job that ran died with what ran it. Those that were done before have lost their results with it: work is a
   * function of its input, so they go first again, as do those that were not started.
   */
  #recover(jobs: readonly Job<Call, Reply>[], { started, code, why = 'what ran it died' }: Lost): void {
    const { lost } = this.#options
    const others = [...this.#waiting]
    this.#waiting.clear()
    for (const [index, job] of jobs.entries()) {
      if (index === started - 1) job.reject(new Problem(code ?? lost, undefined, why))
      else if (job.context.gone) job.reject(new Problem('CLIENT_GONE'))
      else if (++job.losses === MAX_LOSSES) job.reject(new Problem(lost, undefined, 'nothing runs it'))
      else this.#waiting.add(job)
    }
    for (const job of others) this.#waiting.add(job)
    for (const job of jobs) this.#guard(job)
  }

  /** As long as a job waits, its client may leave and its deadline may pass. */
  #guard(job: Job<Call, Reply>): void {
    if (!this.#waiting.has(job)) return
    job.context.onGone(() => this.#giveUp(job, 'CLIENT_GONE'))
    this.#wakeAt(job.deadline)
  }

  #giveUp(job: Job<Call, Reply>, code: 'CLIENT_GONE' | 'DEADLINE_PASSED'): void {
    if (this.#waiting.delete(job)) job.reject(new Problem(code))
  }

  /** Jobs come with ever later deadlines, or nearly so, so one timer, for the earliest, is enough. */
  #wakeAt(deadline: number): void {
    if (deadline >= this.#alarmAt) return
    clearTimeout(this.#alarm)
    this.#alarmAt = deadline
    this.#alarm = setTimeout(() => this.#expire(), Math.max(1, deadline - monotonicMs())).unref()
  }

  #expire(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY
    const now = monotonicMs()
    for (const job of this.#waiting) {
      if (job.deadline <= now) this.#giveUp(job, 'DEADLINE_PASSED')
      else this.#wakeAt(job.deadline)
    }
  }
}
