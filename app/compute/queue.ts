import { monotonicMs } from '../../lib/units.ts'
import type { TaskCall, TaskMessage, TaskReply } from '../../workers/protocol.ts'
import type { RequestContext } from '../context.ts'
import type { Logger } from '../logging/contract.ts'
import { Problem } from '../problems.ts'
import { callsFor, type TaskResult, type TracedTask } from './contract.ts'
import { resultsOf } from './outcome.ts'

/** A reply a job; or what ran them died, when `started` of them had been started. */
export type Outcome =
  | { readonly kind: 'replies'; readonly replies: readonly TaskReply[] }
  | { readonly kind: 'lost'; readonly started: number }

interface TaskQueueOptions {
  /** How many messages may be out. */
  readonly slots: number
  readonly jobsPerMessage: number
  readonly logger: Logger
  /** Hands a message out; never rejects. */
  dispatch(message: TaskMessage): Promise<Outcome>
}

/** Tasks of one request that travel together. */
interface Job {
  readonly calls: readonly TaskCall[]
  readonly context: RequestContext
  readonly askedAtMs: number
  /** How often it was handed out to something that died before it started. */
  losses: number
  resolve(results: TaskResult<unknown>[]): void
  reject(problem: unknown): void
}

const MAX_LOSSES = 3

/**
 * Tasks wait here, on the main thread, and not in the pool, so that one whose client is gone or whose deadline has
 * passed can be taken out at the cost of a Set entry: an AbortSignal would make Piscina run the task alone on its
 * thread. First in, first out. Each of `slots` holds what was handed out in one message; two slots a thread keep it busy
 * while an answer travels. A message has one job while few wait, and more when they have to wait anyway.
 */
export class TaskQueue {
  readonly #waiting = new Set<Job>()
  readonly #freeSlots: number[]
  readonly #options: TaskQueueOptions
  #alarm: NodeJS.Timeout | undefined
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(options: TaskQueueOptions) {
    this.#options = options
    this.#freeSlots = Array.from({ length: options.slots }, (_, slot) => slot)
  }

  /** How many jobs wait. */
  get length(): number {
    return this.#waiting.size
  }

  /** @throws Problem as `Compute.run` */
  run(context: RequestContext, tasks: readonly TracedTask[]): Promise<TaskResult<unknown>[]> {
    return new Promise((resolve, reject) => {
      const calls = callsFor(context, tasks)
      const job: Job = { calls, context, askedAtMs: monotonicMs(), losses: 0, resolve, reject }
      this.#waiting.add(job)
      if (context.gone) return this.#giveUp(job, 'CLIENT_GONE')
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
  #takeFirst(): Job[] {
    const { slots, jobsPerMessage } = this.#options
    const jobs = [
      ...this.#waiting.values().take(Math.min(jobsPerMessage, Math.ceil(this.#waiting.size / slots))),
    ]
    for (const job of jobs) this.#waiting.delete(job)
    return jobs
  }

  async #follow(jobs: readonly Job[], slot: number): Promise<void> {
    const message = { kind: 'tasks', jobs: jobs.map(({ calls }) => calls), slot } as const
    const outcome = await this.#options.dispatch(message)
    this.#freeSlots.push(slot)
    if (outcome.kind === 'lost') this.#recover(jobs, outcome.started)
    else for (const [index, reply] of outcome.replies.entries()) this.#settle(jobs[index] as Job, reply)
    this.#handOut()
  }

  #settle(job: Job, reply: TaskReply): void {
    try {
      job.resolve(resultsOf(reply, job, this.#options.logger))
    } catch (problem) {
      job.reject(problem)
    }
  }

  /**
   * The job that ran died with what ran it. Those that were done before have lost their results with it: tasks are
   * functions of their input, so they go first again, as do those that were not started.
   */
  #recover(jobs: readonly Job[], started: number): void {
    const others = [...this.#waiting]
    this.#waiting.clear()
    for (const [index, job] of jobs.entries()) {
      if (index === started - 1) job.reject(new Problem('TASK_FAILED', undefined, 'what ran the task died'))
      else if (++job.losses === MAX_LOSSES)
        job.reject(new Problem('TASK_FAILED', undefined, 'nothing runs tasks'))
      else this.#waiting.add(job)
    }
    for (const job of others) this.#waiting.add(job)
    for (const job of jobs) this.#guard(job)
  }

  /** As long as a task waits, its client may leave and its deadline may pass. */
  #guard(job: Job): void {
    if (!this.#waiting.has(job)) return
    job.context.onGone(() => this.#giveUp(job, 'CLIENT_GONE'))
    this.#wakeAt(job.context.deadline)
  }

  #giveUp(job: Job, code: 'CLIENT_GONE' | 'DEADLINE_PASSED'): void {
    if (this.#waiting.delete(job)) job.reject(new Problem(code))
  }

  /** Tasks of requests come with ever later deadlines, so one timer, for the earliest, is enough. */
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
      if (job.context.deadline <= now) this.#giveUp(job, 'DEADLINE_PASSED')
      else this.#wakeAt(job.context.deadline)
    }
  }
}
