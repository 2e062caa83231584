import type { WaitingClient } from '../threads/envelope.ts'
import { outside } from '../threads/outside.ts'
import { errorOf, stackOf } from '../threads/thrown.ts'
import { monotonicMs, msUntil } from '../units.ts'
import { type Linked, LinkedList } from './collections.ts'
import {
  type Done,
  type EndEarly,
  type Failure,
  type JobEnd,
  JobFailed,
  type Lost,
  type MessageEnd,
} from './job.ts'

interface WorkQueueOptions<Call, Reply> {
  /** Number of threads or processes that take jobs from the queue. */
  readonly workers: number
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  readonly jobsPerMessage: number
  /**
   * Sends jobs in one message. @param endEarly ends one of them before the others
   * @throws if the message cannot be sent, or rejects then; each job is then sent alone
   */
  dispatch(calls: readonly Call[], slot: number, endEarly: EndEarly<Reply>): Promise<MessageEnd<Reply>>
  /** Whether a job is the only one of its message. */
  isAlone?(call: Call): boolean
  /**
   * Whether a job may be sent again because the thread or process that it was sent to died. Without this function, each may.
   * @param wasStarted whether it had been started, and did not run at that moment: it may be done, and its reply lost
   */
  mayRunAgain?(call: Call, wasStarted: boolean): boolean
}

/** The work of one request that is sent in one piece. */
interface Job<Call, Reply> extends Linked<Job<Call, Reply>> {
  readonly call: Call
  readonly client: WaitingClient
  /** Milliseconds by the monotonic clock by which the job must have begun. */
  readonly deadline: number
  readonly askedAtMs: number
  /** Number of times that the job was sent to a thread or process that died before the job started. */
  losses: number
  isEnded: boolean
  /** Whether it could not be sent with others. */
  isAlone: boolean
  settle(end: JobEnd<Reply>): void
}

const MAX_LOSSES = 3
/** Jobs that take no longer than this together travel in one message. */
const SHORT_MS = 0.5

/**
 * Messages are sent and answered outside of the context of any request, because they may have the jobs of several.
 *
 * Jobs wait here, first in, first out, and not in the pool, so that one whose client has gone or whose deadline has passed can be
 * removed at once. Each of the `slots` stands for one message; two for each thread keep it busy while a reply travels. A message
 * has one job while few jobs wait, and more when they have to wait anyway, or are short.
 */
export class WorkQueue<Call, Reply> {
  #workers: number
  readonly #waiting = new LinkedList<Job<Call, Reply>>()
  readonly #freeSlots: number[]
  readonly #options: WorkQueueOptions<Call, Reply>
  #slots: number
  /** Number of slots in use. It may be more than `#slots` for a while after that became less. */
  #usedSlots = 0
  #alarm: NodeJS.Timeout | undefined
  #alarmAt = Number.POSITIVE_INFINITY
  /** The time from the dispatch of a message to its reply, for each of its jobs: the mean of the last ones. */
  #jobMs = 10
  #isClosed = false

  constructor(options: WorkQueueOptions<Call, Reply>) {
    this.#options = options
    this.#workers = options.workers
    this.#slots = options.slots
    this.#freeSlots = Array.from({ length: options.slots }, (_, slot) => slot)
  }

  get workers(): number {
    return this.#workers
  }

  /** Changes the number of workers and of slots, for workers that come and go. */
  resize(workers: number, slots: number): void {
    this.#workers = workers
    this.#slots = slots
    outside(() => this.#handOut())
  }

  /** Refuses the jobs that wait, and all that come later, as `closed`. Jobs that were sent go on. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#alarm)
    for (const job of this.#waiting) this.#giveUp(job, 'closed')
  }

  get length(): number {
    return this.#waiting.size
  }

  oldestWaitMs(): number {
    const { first } = this.#waiting
    return first ? monotonicMs() - first.askedAtMs : 0
  }

  /** @param deadline that of the request, unless this work has to begin sooner @throws JobFailed */
  run(client: WaitingClient, call: Call, deadline?: number): Promise<Done<Reply>> {
    return new Promise((resolve, reject) => {
      const settle = (end: JobEnd<Reply>) => (end instanceof JobFailed ? reject(end) : resolve(end))
      this.enqueue(client, call, settle, deadline)
    })
  }

  /**
   * As `run`, for a caller that needs no promise.
   * @param settle is called once, outside of the asynchronous context of any request, unless the job fails at once. What it
   * throws is a warning.
   */
  enqueue(
    client: WaitingClient,
    call: Call,
    settle: (end: JobEnd<Reply>) => void,
    deadline = client.deadline,
  ): void {
    const askedAtMs = monotonicMs()
    const job = { call, client, deadline, askedAtMs, losses: 0, isEnded: false, isAlone: false, settle }
    this.#waiting.add(job)
    if (this.#isClosed) return this.#giveUp(job, 'closed')
    if (client.gone) return this.#giveUp(job, 'client gone')
    if (deadline <= askedAtMs) return this.#giveUp(job, 'deadline passed')
    if (this.#usedSlots < this.#slots) outside(() => this.#handOut())
    this.#guard(job)
  }

  #handOut(): void {
    while (this.#waiting.size > 0 && this.#usedSlots < this.#slots) {
      // Without a free slot, all that were ever made are in use, and their number is the next one.
      const slot = this.#freeSlots.pop() ?? this.#usedSlots
      this.#usedSlots++
      void this.#follow(this.#takeFirst(), slot)
    }
  }

  /** Removes the next jobs from the queue: a slot's share of all that wait, or more if jobs take little time. */
  #takeFirst(): Job<Call, Reply>[] {
    const most = Math.min(
      this.#options.jobsPerMessage,
      Math.max(this.#waiting.size / this.#slots, SHORT_MS / this.#jobMs),
    )
    const { isAlone } = this.#options
    const taken: Job<Call, Reply>[] = []
    for (let { first } = this.#waiting; first && taken.length < most; first = this.#waiting.first) {
      const alone = first.isAlone || isAlone?.(first.call) === true
      if (alone && taken.length > 0) break
      this.#waiting.delete(first)
      taken.push(first)
      if (alone) break
    }
    return taken
  }

  async #follow(jobs: readonly Job<Call, Reply>[], slot: number): Promise<void> {
    const sentAtMs = performance.now()
    const outcome = await this.#send(jobs, slot)
    this.#jobMs += ((performance.now() - sentAtMs) / jobs.length - this.#jobMs) / 8
    this.#usedSlots--
    this.#freeSlots.push(slot)
    this.#settle(jobs, outcome)
  }

  /** If jobs cannot be sent together, because no message can contain one of them, that one fails, and no others. */
  async #send(jobs: readonly Job<Call, Reply>[], slot: number): Promise<MessageEnd<Reply>> {
    const calls = jobs.map(({ call }) => call)
    try {
      return await this.#options.dispatch(calls, slot, (index, reply) => {
        const job = jobs[index] as Job<Call, Reply>
        end(job, { reply, askedAtMs: job.askedAtMs })
      })
    } catch (thrown) {
      for (const job of jobs) {
        if (jobs.length === 1) end(job, new JobFailed('not sent', stackOf(thrown), errorOf(thrown)))
        job.isAlone = true
      }
      return { kind: 'lost', started: 0 }
    }
  }

  #settle(jobs: readonly Job<Call, Reply>[], outcome: MessageEnd<Reply>): void {
    if (outcome.kind === 'lost') this.#recover(jobs, outcome)
    else
      jobs.forEach((job, index) => {
        const reply = outcome.replies[index] as Reply | Promise<MessageEnd<Reply>>
        if (reply instanceof Promise) void reply.then(late => this.#settle([job], late))
        else end(job, { reply, askedAtMs: job.askedAtMs })
      })
    this.#handOut()
  }

  /**
   * Handles the death of a thread or process. The running job died with it. The others go to the front of the queue if they
   * may run again, also those that were done and whose replies are lost.
   */
  #recover(jobs: readonly Job<Call, Reply>[], lost: Lost): void {
    const others = [...this.#waiting]
    for (const job of others) this.#waiting.delete(job)
    for (const [index, job] of jobs.entries()) {
      if (job.isEnded) continue
      const failed = this.#judge(job, index, lost)
      if (failed) end(job, failed)
      else this.#waiting.add(job)
    }
    for (const job of others) this.#waiting.add(job)
    for (const job of jobs) this.#guard(job)
  }

  /** Why a lost job does not run again; undefined if it does. @param index its place in its message */
  #judge(job: Job<Call, Reply>, index: number, lost: Lost): JobFailed | undefined {
    const { started, isIdle = false, timedOut, why = 'what ran it died', cause } = lost
    const { mayRunAgain } = this.#options
    if (this.#isClosed && !timedOut && !cause) return new JobFailed('closed', why)
    if (index === started - 1 && !isIdle) return new JobFailed(timedOut ? 'timed out' : 'died', why, cause)
    if (job.client.gone) return new JobFailed('client gone')
    if (this.#isClosed) return new JobFailed('closed', why, cause)
    if (mayRunAgain && !mayRunAgain(job.call, index < started))
      return new JobFailed('died', `${why}, and this job may not be sent twice`, cause)
    if (++job.losses === MAX_LOSSES) return new JobFailed('died', `nothing runs it: ${why}`, cause)
    return undefined
  }

  /** Removes a waiting job when its client leaves or its deadline passes. */
  #guard(job: Job<Call, Reply>): void {
    if (!this.#waiting.has(job)) return
    job.client.onGone(() => this.#giveUp(job, 'client gone'))
    this.#wakeAt(job.deadline)
  }

  #giveUp(job: Job<Call, Reply>, failure: Failure): void {
    if (this.#waiting.delete(job)) end(job, new JobFailed(failure))
  }

  /** New jobs nearly always have later deadlines, so one timer for the earliest deadline is enough. */
  #wakeAt(deadline: number): void {
    if (deadline >= this.#alarmAt) return
    clearTimeout(this.#alarm)
    this.#alarmAt = deadline
    // A later deadline than timers can have is looked at again on the way to it.
    this.#alarm = outside(() => setTimeout(() => this.#expire(), msUntil(deadline)).unref())
  }

  #expire(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY
    const now = monotonicMs()
    for (const job of this.#waiting) {
      if (job.deadline <= now) this.#giveUp(job, 'deadline passed')
      else this.#wakeAt(job.deadline)
    }
  }
}

/** Ends a job, unless it has ended. The others of its message go on, whatever happens. */
function end<Call, Reply>(job: Job<Call, Reply>, how: JobEnd<Reply>): void {
  if (job.isEnded) return
  job.isEnded = true
  try {
    job.settle(how)
  } catch (thrown) {
    process.emitWarning(`the end of a job could not be handled: ${stackOf(thrown)}`, { code: 'JOB_END' })
  }
}
