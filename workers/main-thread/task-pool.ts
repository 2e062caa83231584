import { checkOptions, durationRule } from '../../lib/cli/checked-options.ts'
import { type Failure, type JobEnd, JobFailed, patient, SignalClient } from '../../lib/main-thread/job.ts'
import { WatchedQueue } from '../../lib/main-thread/watched-queue.ts'
import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { WaitingClient } from '../../lib/threads/envelope.ts'
import { toError } from '../../lib/threads/thrown.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import { type CheckedOptions, checkPoolOptions, checkRunOptions } from './pool-options.ts'
import { startTaskThreads } from './queued-threads.ts'
import { Scaling } from './scaling.ts'
import type { TaskThreads } from './task-threads.ts'
import {
  type CloseOptions,
  type PoolOptions,
  type RunArguments,
  type RunOptions,
  type TaskName,
  type TaskOutput,
  type TaskPool,
  TaskPoolError,
  type TaskPoolErrorCode,
} from './task-types.ts'
import { Timing } from './timing.ts'

/**
 * Starts threads that run the exported functions of a module: `createTaskPool<typeof import(…)>({ tasks })`.
 * @throws RangeError for a wrong option; what the module throws when it is loaded
 */
export async function createTaskPool<Module extends object = Record<string, (input: unknown) => unknown>>(
  options: PoolOptions,
): Promise<TaskPool<Module>> {
  const checked = checkPoolOptions(options)
  const { pool, queue } = await startTaskThreads(checked.threads)
  return new QueuedTasks<Module>(pool, queue, checked)
}

const DEFAULT_GRACE_MS = 30_000
const closeRules = { graceMs: durationRule({ orInfinity: true }) }
const patientEnvelope = { requestId: '', traceparent: undefined, deadline: patient.deadline }

/** Worker threads and the queue in front of them. */
class QueuedTasks<Module extends object> implements TaskPool<Module> {
  readonly histogram: Timing | undefined
  readonly #threads: TaskThreads
  readonly #queue: WorkQueue<TaskJob, TaskReply>
  readonly #maxWaitMs: number
  /** The most tasks that may run or wait. */
  readonly #maxOpen: number
  readonly #watched: WatchedQueue
  readonly #scaling: Scaling | undefined
  readonly #done = { runMs: 0 }
  #names: ReadonlySet<string>
  #closed: Promise<void> | undefined

  constructor(pool: TaskThreads, queue: WorkQueue<TaskJob, TaskReply>, options: CheckedOptions) {
    const { minThreads, idleTimeout, maxQueue, maxWaitMs, recordTiming } = options
    const { threads: maxThreads, concurrentTasks = 1 } = options.threads
    this.#threads = pool
    this.#queue = queue
    this.#maxWaitMs = maxWaitMs
    this.#maxOpen = maxThreads * concurrentTasks + maxQueue
    this.#watched = new WatchedQueue(queue, this.#done)
    this.#names = namesOf(pool)
    this.histogram = recordTiming ? new Timing() : undefined
    if (minThreads < maxThreads)
      this.#scaling = new Scaling({ pool, queue, minThreads, maxThreads, concurrentTasks, idleTimeout })
  }

  get waiting(): number {
    return this.#queue.length
  }

  get threads(): number {
    return this.#threads.threads.length
  }

  get stuckThreads(): number {
    return this.#threads.stuck
  }

  async run<Name extends TaskName<Module>>(
    name: Name,
    ...[input, options]: RunArguments<Module, Name>
  ): Promise<TaskOutput<Module, Name>> {
    if (options) checkRunOptions(options)
    this.#admit(name)
    try {
      const reply = await (options
        ? this.#runFor(name, input, options)
        : this.#ask(patient, { calls: [{ name, input, envelope: patientEnvelope }] }))
      return outputOf(reply) as TaskOutput<Module, Name>
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error
      if (error.failure === 'client gone') throw options?.signal?.reason
      throw new TaskPoolError(codeOf[error.failure], error)
    }
  }

  async #runFor(
    name: string,
    input: unknown,
    { signal, transferList, deadline = Number.POSITIVE_INFINITY }: RunOptions,
  ): Promise<TaskReply> {
    signal?.throwIfAborted()
    const client = new SignalClient(monotonicMs() + deadline - performance.now(), signal)
    const calls = [{ name, input, envelope: client.envelope }]
    const job: TaskJob = signal || transferList ? { calls, transferList, isAlone: true } : { calls }
    const reply = this.#ask(client, job)
    // A task that waits in the queue has been removed from it before.
    if (signal) client.onGone(() => this.#threads.abort(job))
    try {
      return await Promise.race([reply, client.aborted])
    } finally {
      client.end()
    }
  }

  async recycle(): Promise<void> {
    await this.#threads.recycle()
    this.#names = namesOf(this.#threads)
  }

  close({ graceMs = DEFAULT_GRACE_MS }: CloseOptions = {}): Promise<void> {
    checkOptions('close', { graceMs }, closeRules)
    if (!this.#closed) {
      this.#scaling?.close()
      this.#queue.close()
      this.#closed = this.#threads.closeWithin(graceMs)
    }
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** @throws TaskPoolError */
  #admit(name: string): void {
    if (this.#closed) throw new TaskPoolError('POOL_CLOSED')
    if (!this.#names.has(name))
      throw new TaskPoolError(
        'UNKNOWN_TASK',
        undefined,
        `no task is named ${name}; there are ${[...this.#names].join(', ')}`,
      )
    if (this.#watched.inFlight >= this.#maxOpen || this.#wouldWait()) throw new TaskPoolError('OVERLOADED')
  }

  #wouldWait(): boolean {
    return (
      this.#maxWaitMs < Number.POSITIVE_INFINITY &&
      this.#watched.expectedWaitMs(performance.now()) > this.#maxWaitMs
    )
  }

  #ask(client: WaitingClient, job: TaskJob): Promise<TaskReply> {
    this.#watched.enter()
    const reply = new Promise<TaskReply>((resolve, reject) =>
      this.#queue.enqueue(client, job, end => {
        this.#leave(end)
        if (end instanceof JobFailed) reject(end)
        else resolve(end.reply)
      }),
    )
    this.#scaling?.grow()
    return reply
  }

  #leave(end: JobEnd<TaskReply>): void {
    this.#watched.leave()
    if (!(end instanceof JobFailed) && end.reply.kind === 'done')
      for (const { runMs, startedAtMs } of end.reply.runs) {
        this.#done.runMs += runMs
        this.histogram?.record(startedAtMs - end.askedAtMs, runMs)
      }
  }
}

/** The names of the tasks, as a thread says that has loaded them. */
const namesOf = ({ threads }: TaskThreads): ReadonlySet<string> =>
  new Set(threads.flatMap(({ work }) => work.tasks))

const codeOf: Readonly<Record<Exclude<Failure, 'client gone'>, TaskPoolErrorCode>> = {
  'deadline passed': 'DEADLINE_PASSED',
  'timed out': 'TASK_TIMEOUT',
  died: 'WORKER_DIED',
  'not sent': 'TASK_FAILED',
  closed: 'POOL_CLOSED',
}

function outputOf(reply: TaskReply): unknown {
  if (reply.kind === 'done') return reply.runs[0]?.output
  if (reply.kind === 'expired') throw new TaskPoolError('DEADLINE_PASSED')
  if (reply.kind === 'refused') throw new TaskPoolError('TASK_TIMEOUT')
  throw new TaskPoolError('TASK_FAILED', toError(reply))
}
