import { monotonicMs } from '../units.ts'

/** The request that a job belongs to, as far as a queue has to know it. */
export interface Requester {
  /** Milliseconds since the epoch by which its work must have begun. */
  readonly deadline: number
  /** Whether its client has left. */
  readonly gone: boolean
  /** Calls `listener` when its client leaves. */
  onGone(listener: () => void): void
}

/** Why a job was not done: the thread or process that ran it died by itself, or was ended because it took too long. */
export type Failure = 'client gone' | 'deadline passed' | 'died' | 'timed out'

/** A job that was not done; the message is for the log. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly failure: Failure

  constructor(failure: Failure, message: string = failure) {
    super(message)
    this.failure = failure
  }
}

export type Outcome<Reply> =
  /** One a job. */
  { readonly kind: 'replies'; readonly replies: readonly Reply[] } | Lost

/** The thread or process that ran the jobs died, when `started` of them had been started. */
export interface Lost {
  readonly kind: 'lost'
  readonly started: number
  /** Whether it was ended because the job that ran took too long. */
  readonly timedOut?: boolean
  /** For the log. */
  readonly why?: string | undefined
}

interface WorkQueueOptions<Call, Reply> {
  /** How many threads or processes take from it. */
  readonly workers: number
  /** How many messages may be out. */
  readonly slots: number
  readonly jobsPerMessage: number
  /** Hands jobs out in one message; never rejects. */
  dispatch(calls: readonly Call[], slot: number): Promise<Outcome<Reply>>
}

/** The reply to a job, and when the job was asked for, by the monotonic clock. */
interface Done<Reply> {
  readonly reply: Reply
  readonly askedAtMs: number
}

/** Work of one request that travels together. */
interface Job<Call, Reply> {
  readonly call: Call
  readonly requester: Requester
  /** Milliseconds since the epoch by which it must have begun. */
  readonly deadline: number
  readonly askedAtMs: number
  /** How often it was handed out to something that died before it started. */
  losses: number
  resolve(done: Done<Reply>): void
  reject(problem: unknown): void
}

const MAX_LOSSES = 3

/**
 * Work waits here, on the main thread, and not in the pool, so that a job whose client is gone or whose deadline has
 * passed can be taken out at the cost of a Set entry: an AbortSignal would make Piscina run a task alone on its
 * thread. First in, first out. Each of `slots` holds what was handed out in one message; two slots a thread keep it busy
 * while an answer travels. A message has one job while few wait, and more when they have to wait anyway.
 */
export class WorkQueue<Call, Reply> {
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
   * @throws JobFailed
   */
  run(requester: Requester, call: Call, deadline = requester.deadline): Promise<Done<Reply>> {
    return new Promise((resolve, reject) => {
      const job = { call, requester, deadline, askedAtMs: monotonicMs(), losses: 0, resolve, reject }
      this.#waiting.add(job)
      if (requester.gone) return this.#giveUp(job, 'client gone')
      if (deadline <= Date.now()) return this.#giveUp(job, 'deadline passed')
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
  #recover(jobs: readonly Job<Call, Reply>[], { started, timedOut, why = 'what ran it died' }: Lost): void {
    const others = [...this.#waiting]
    this.#waiting.clear()
    for (const [index, job] of jobs.entries()) {
      if (index === started - 1) job.reject(new JobFailed(timedOut ? 'timed out' : 'died', why))
      else if (job.requester.gone) job.reject(new JobFailed('client gone'))
      else if (++job.losses === MAX_LOSSES) job.reject(new JobFailed('died', 'nothing runs it'))
      else this.#waiting.add(job)
    }
    for (const job of others) this.#waiting.add(job)
    for (const job of jobs) this.#guard(job)
  }

  /** As long as a job waits, its client may leave and its deadline may pass. */
  #guard(job: Job<Call, Reply>): void {
    if (!this.#waiting.has(job)) return
    job.requester.onGone(() => this.#giveUp(job, 'client gone'))
    this.#wakeAt(job.deadline)
  }

  #giveUp(job: Job<Call, Reply>, failure: 'client gone' | 'deadline passed'): void {
    if (this.#waiting.delete(job)) job.reject(new JobFailed(failure))
  }

  /** Jobs come with ever later deadlines, or nearly so, so one timer, for the earliest, is enough. */
  #wakeAt(deadline: number): void {
    if (deadline >= this.#alarmAt) return
    clearTimeout(this.#alarm)
    this.#alarmAt = deadline
    this.#alarm = setTimeout(() => this.#expire(), Math.max(1, deadline - Date.now())).unref()
  }

  #expire(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY
    const now = Date.now()
    for (const job of this.#waiting) {
      if (job.deadline <= now) this.#giveUp(job, 'deadline passed')
      else this.#wakeAt(job.deadline)
    }
  }
}
