import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { createMarks } from '../../lib/threads/slot-marks.ts'
import { describeThrown } from '../../lib/threads/thrown.ts'
import type { TaskJob, TaskPoolOptions, TaskReply } from '../job.ts'
import { processData } from '../protocol.ts'
import { TaskThread } from './task-thread.ts'

/**
 * Threads that run tasks. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip costs more. A thread whose task takes too long is replaced.
 */
export class TaskThreads extends ThreadPool<TaskThread> {
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  #jobs = 0

  constructor(options: TaskPoolOptions) {
    const { threads: size, taskTimeoutMs: stuckAfterMs, workerMemoryMib } = options
    const slots = size * MESSAGES_PER_THREAD
    const data = { ...processData(options), started: createMarks(slots) }
    super({ size, stuckAfterMs, start: onExit => new TaskThread(data, workerMemoryMib, onExit) })
    this.slots = slots
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

  /** Tells the thread that works on a job that its client has left. */
  cancel(job: TaskJob): void {
    for (const thread of this.threads) thread.cancel(job)
  }
}
