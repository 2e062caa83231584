import { once } from 'node:events'
import type { WorkerOptions } from 'node:worker_threads'
import { type EndEarly, MESSAGES_PER_THREAD, type MessageEnd } from '../../lib/main-thread/job.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import type { AnswersFile, TaskJob, TaskPoolOptions, TaskReply } from '../job.ts'
import { processData, type ThreadOptions } from '../protocol.ts'
import { startTaskThread, type TaskWork } from './task-thread.ts'

export interface TaskThreadsOptions extends TaskPoolOptions {
  /** Number of threads that are started at first; by default `threads`. */
  readonly firstThreads?: number
  /** Number of asynchronous tasks that run beside each other in a thread; by default 1. */
  readonly concurrentTasks?: number
  /** Whether a task may run twice; by default true. */
  readonly idempotent?: boolean
  /** Options of each `Worker`. */
  readonly worker?: WorkerOptions
}

/**
 * Threads that run tasks. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip costs more. A thread whose task takes too long is replaced.
 */
export class TaskThreads extends ThreadPool<TaskWork> {
  /** Number of messages that a thread may have at the same time. */
  readonly messagesPerThread: number
  #jobs = 0
  readonly #data: ThreadOptions

  constructor(options: TaskThreadsOptions) {
    const { threads, firstThreads = threads, concurrentTasks = 1, idempotent = true } = options
    const { taskTimeoutMs, workerMemoryMib } = options
    const messagesPerThread = Math.max(MESSAGES_PER_THREAD, concurrentTasks + 1)
    const slots = threads * messagesPerThread
    const data: ThreadOptions = { ...processData(options), concurrentTasks, taskTimeoutMs, idempotent }
    super({
      size: firstThreads,
      stuckAfterMs: taskTimeoutMs,
      countsWaits: true,
      start: onExit => startTaskThread(data, slots, workerMemoryMib, onExit, options.worker),
    })
    this.messagesPerThread = messagesPerThread
    this.#data = data
  }

  /** Number of messages that may be unanswered at the same time. */
  get slots(): number {
    return this.threads.length * this.messagesPerThread
  }

  /**
   * Sends jobs to the thread with the fewest messages of those that have started. When the thread dies, its jobs are lost.
   * @throws what `postMessage` throws if one of the jobs cannot be copied; none was sent then
   */
  dispatch(
    jobs: readonly TaskJob[],
    slot: number,
    endEarly: EndEarly<TaskReply>,
  ): Promise<MessageEnd<TaskReply>> {
    const { idlest } = this
    this.wake()
    const firstId = this.#jobs
    this.#jobs += jobs.length
    return idlest.work.send({ jobs, firstId, endEarly }, slot)
  }

  /** Lets all threads make answers, also later ones. @throws the error of a thread that cannot load the file */
  async loadAnswers(answers: AnswersFile): Promise<void> {
    Object.assign(this.#data, { answers })
    // An event `error` rejects what waits for another event.
    await Promise.all(
      this.threads.map(({ work, worker }) => Promise.race([work.loadAnswers(answers), once(worker, 'exit')])),
    )
  }

  /** Tells the thread that works on a job that its client has left. */
  cancel(job: TaskJob): void {
    for (const thread of this.threads) thread.work.cancel(job)
  }

  /** Ends the task of a job that was sent, with its thread if it has begun. Another thread takes the place of that. */
  abort(job: TaskJob): void {
    for (const thread of this.all)
      if (thread.work.abort(job)) this.retire(thread, { why: 'the signal of its task was aborted' })
  }
}
