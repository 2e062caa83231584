import { monotonicMs } from '../../lib/units.ts'
import type { TaskCall, TaskMessage, TaskReply } from '../../workers/protocol.ts'
import type { RequestContext } from '../context.ts'
import type { Logger } from '../logging/contract.ts'
import { Problem } from '../problems.ts'
import { callsFor, type TaskResult, type TracedTask } from './contract.ts'
import { resultsOf } from './outcome.ts'

/** A reply, or: what ran the task died, before or after the task was started. */
export type Outcome = TaskReply | { readonly kind: 'lost'; readonly started: boolean }

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
 * while an answer travels.
 */
export class TaskQueue {
  readonly #waiting = new Set<Job>()
  readonly #freeSlots: number[]
  readonly #logger: Logger
  readonly #dispatch: (message: TaskMessage) => Promise<Outcome>
  #alarm: NodeJS.Timeout | undefined
  #alarmAt = Number.POSITIVE_INFINITY

  /** @param dispatch hands tasks out; never rejects */
  constructor(slots: number, logger: Logger, dispatch: (message: TaskMessage) => Promise<Outcome>) {
    this.#logger = logger
    this.#freeSlots = Array.from({ length: slots }, (_, slot) => slot)
    this.#dispatch = dispatch
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
    for (const job of this.#waiting) {
      const slot = this.#freeSlots.pop()
      if (slot === undefined) return
      this.#waiting.delete(job)
      void this.#follow(job, slot)
    }
  }

  async #follow(job: Job, slot: number): Promise<void> {
    const outcome = await this.#dispatch({ kind: 'tasks', calls: job.calls, slot })
    this.#freeSlots.push(slot)
    this.#settle(job, outcome)
    this.#handOut()
    this.#guard(job)
  }

  #settle(job: Job, outcome: Outcome): void {
    if (outcome.kind === 'lost') {
      if (outcome.started) return job.reject(new Problem('TASK_FAILED', undefined, 'what ran the task died'))
      if (++job.losses === MAX_LOSSES)
        return job.reject(new Problem('TASK_FAILED', undefined, 'nothing runs tasks'))
      return this.#putFirst(job)
    }
    try {
      job.resolve(resultsOf(outcome, job, this.#logger))
    } catch (problem) {
      job.reject(problem)
    }
  }

  #putFirst(job: Job): void {
    const others = [...this.#waiting]
    this.#waiting.clear()
    for (const each of [job, ...others]) this.#waiting.add(each)
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
