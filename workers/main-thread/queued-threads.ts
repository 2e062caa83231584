import { JOBS_PER_MESSAGE } from '../../lib/main-thread/job.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import { TaskThreads, type TaskThreadsOptions } from './task-threads.ts'

/**
 * Starts threads with the queue in front of them, in which jobs wait, first in, first out.
 * @throws when a thread ends before it was ready, for example because the tasks file cannot be loaded
 */
export async function startTaskThreads(options: TaskThreadsOptions) {
  const { idempotent = true } = options
  const pool = new TaskThreads(options)
  await pool.ready()
  const queue = new WorkQueue<TaskJob, TaskReply>({
    workers: pool.threads.length,
    slots: pool.slots,
    jobsPerMessage: JOBS_PER_MESSAGE,
    dispatch: (...message) => pool.dispatch(...message),
    isAlone: job => job.isAlone === true,
    mayRunAgain: ({ transferList }, wasStarted) => !transferList && (idempotent || !wasStarted),
  })
  return { pool, queue }
}
