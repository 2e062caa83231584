import { once } from 'node:events'
import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { createMarks } from '../../lib/threads/slot-marks.ts'
import { describeThrown } from '../../lib/threads/thrown.ts'
import type { AnswersFile, TaskJob, TaskPoolOptions, TaskReply } from '../job.ts'
import { processData, type ThreadData } from '../protocol.ts'
import { TaskThread } from './task-thread.ts'

/**
 * Threads that run tasks. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip costs more. A thread whose task takes too long is replaced.
 */
export class TaskThreads extends ThreadPool<TaskThread> {
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  #jobs = 0
  readonly #data: ThreadData

  constructor(options: TaskPoolOptions) {
    const { threads: size, taskTimeoutMs: stuckAfterMs, workerMemoryMib } = options
    const slots = size * MESSAGES_PER_THREAD
    const data: ThreadData = { ...processData(options), started: createMarks(slots) }
    super({ size, stuckAfterMs, start: onExit => new TaskThread(data, workerMemoryMib, onExit) })
    this.slots = slots
    this.#data = data
  }

  /**
   * Sends jobs to the thread with the fewest messages of those that have started. It never rejects: when the thread dies,
   * its jobs are lost.
   */
  dispatch(jobs: readonly TaskJob[], slot: number): Promise<Outcome<TaskReply>> {
    const { idlest } = this
    this.wake()
    const firstId = this.#jobs
    this.#jobs += jobs.length
    return dispatchSendable(
      jobs,
      sendable => idlest.send(sendable, slot, firstId),
      (error): TaskReply => ({ kind: 'failed', ...describeThrown(error) }),
    )
  }

  /**
   * Lets the threads make answers, also those that are started later. Resolves when all have loaded the file.
   * @throws the error of a thread that cannot load it
   */
  async loadAnswers(answers: AnswersFile): Promise<void> {
    Object.assign(this.#data, { answers })
    const loaded = new AbortController()
    const failures = this.threads.map(async ({ worker }) => {
      const [error] = await once(worker, 'error', { signal: loaded.signal })
      throw error
    })
    await Promise.race([...failures, Promise.all(this.threads.map(thread => thread.loadAnswers(answers)))])
    for (const failure of failures) failure.catch(() => {})
    loaded.abort()
  }

  /** Tells the thread that works on a job that its client has left. */
  cancel(job: TaskJob): void {
    for (const thread of this.threads) thread.cancel(job)
  }
}
