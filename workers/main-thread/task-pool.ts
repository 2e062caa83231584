import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkOptions, durationRule, required, urlRule } from '../../lib/cli/checked-options.ts'
import { Caller } from '../../lib/main-thread/caller.ts'
import { type Failure, JobFailed } from '../../lib/main-thread/job.ts'
import { WatchedQueue } from '../../lib/main-thread/watched-queue.ts'
import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { poolBounds } from '../../lib/threads/pool-bounds.ts'
import { poolRules } from '../../lib/threads/pool-rules.ts'
import { toError } from '../../lib/threads/thrown.ts'
import { MAX_DURATION_MS, monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import { startTaskThreads } from './queued-threads.ts'
import { TaskPoolError, type TaskPoolErrorCode } from './task-pool-error.ts'
import type { TaskThreads } from './task-threads.ts'
import type { CloseOptions, PoolOptions, RunArguments, TaskName, TaskOutput, TaskPool } from './task-types.ts'

/**
 * Starts threads that run the exported functions of a module: `createTaskPool<typeof import(…)>({ tasks })`.
 * @throws RangeError for a wrong option; what the module throws when it is loaded
 */
export async function createTaskPool<Module extends object = Record<string, (input: unknown) => unknown>>(
  options: PoolOptions,
): Promise<TaskPool<Module>> {
  const {
    tasks,
    threads = Math.max(1, availableParallelism() - 1),
    maxWaitMs = Number.POSITIVE_INFINITY,
    taskTimeoutMs = 30_000,
    workerMemoryMib = 512,
    workerPriority = 10,
  } = checkOptions('createTaskPool', options, rules)
  const tasksFile = fileURLToPath(tasks)
  const { pool, queue } = await startTaskThreads({
    tasksFile,
    threads,
    taskTimeoutMs,
    workerMemoryMib,
    workerPriority,
  })
  return new QueuedTasks<Module>(pool, queue, maxWaitMs)
}

const rules = {
  ...poolRules,
  tasks: required(urlRule),
  maxWaitMs: durationRule({ orInfinity: true }),
  taskTimeoutMs: durationRule({ ...poolBounds.taskTimeoutMs, orInfinity: true }),
}

const DEFAULT_GRACE_MS = 30_000
const closeRules = { graceMs: durationRule({ orInfinity: true }) }

/** Worker threads and the queue in front of them. */
class QueuedTasks<Module extends object> implements TaskPool<Module> {
  readonly #threads: TaskThreads
  readonly #queue: WorkQueue<TaskJob, TaskReply>
  readonly #maxWaitMs: number
  readonly #watched: WatchedQueue
  readonly #done = { runMs: 0 }
  /** The tasks that were given and have not ended, aborted ones too. */
  readonly #open = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  constructor(threads: TaskThreads, queue: WorkQueue<TaskJob, TaskReply>, maxWaitMs: number) {
    this.#threads = threads
    this.#queue = queue
    this.#maxWaitMs = maxWaitMs
    this.#watched = new WatchedQueue(queue, this.#done)
  }

  get waiting(): number {
    return this.#queue.length
  }

  get stuckThreads(): number {
    return this.#threads.stuck
  }

  async run<Name extends TaskName<Module>>(
    name: Name,
    ...[input, { deadline = Number.POSITIVE_INFINITY, signal } = {}]: RunArguments<Module, Name>
  ): Promise<TaskOutput<Module, Name>> {
    if (this.#closed) throw new TaskPoolError('POOL_CLOSED')
    if (typeof deadline !== 'number' || Number.isNaN(deadline))
      throw new RangeError(
        `run: deadline expects milliseconds by performance.now(), received ${String(deadline)}`,
      )
    signal?.throwIfAborted()
    if (this.#watched.expectedWaitMs(performance.now()) > this.#maxWaitMs)
      throw new TaskPoolError('OVERLOADED')
    const caller = new Caller(monotonicMs() + deadline - performance.now(), signal)
    const reply = this.#ask(caller, name, input)
    try {
      return outputOf(await Promise.race([reply, caller.aborted])) as TaskOutput<Module, Name>
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error
      if (error.failure === 'client gone') throw signal?.reason
      throw new TaskPoolError(codeOf[error.failure], error)
    } finally {
      caller.end()
    }
  }

  close({ graceMs = DEFAULT_GRACE_MS }: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#close(checkOptions('close', { graceMs }, closeRules).graceMs)
    return this.#closed
  }

  async #close(graceMs: number): Promise<void> {
    this.#queue.close()
    const isDone = new AbortController()
    const { signal } = isDone
    const grace = delay(Math.min(graceMs, MAX_DURATION_MS), undefined, { signal }).catch(() => {})
    await Promise.race([Promise.allSettled(this.#open), grace])
    isDone.abort()
    await this.#threads.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #ask(caller: Caller, name: string, input: unknown): Promise<TaskReply> {
    const job = this.#queue.run(caller, { calls: [{ name, input, envelope: caller.envelope }] })
    this.#open.add(job)
    this.#watched.enter()
    try {
      const { reply } = await job
      if (reply.kind === 'done') for (const { runMs } of reply.runs) this.#done.runMs += runMs
      return reply
    } finally {
      this.#open.delete(job)
      this.#watched.leave()
    }
  }
}

const codeOf: Readonly<Record<Exclude<Failure, 'client gone'>, TaskPoolErrorCode>> = {
  'deadline passed': 'DEADLINE_PASSED',
  'timed out': 'TASK_TIMEOUT',
  died: 'WORKER_DIED',
  closed: 'POOL_CLOSED',
}

function outputOf(reply: TaskReply): unknown {
  if (reply.kind === 'done') return reply.runs[0]?.output
  if (reply.kind === 'expired') throw new TaskPoolError('DEADLINE_PASSED')
  if (reply.kind !== 'failed') throw new TypeError(`unknown reply ${JSON.stringify(reply)}`)
  throw new TaskPoolError('TASK_FAILED', toError(reply))
}
