import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { TaskThreads } from '../../../workers/main-thread/task-threads.ts'
import type { TaskJob, TaskReply } from '../../../workers/protocol.ts'
import { type CreateCompute, noChildren } from './contract.ts'
import { runQueued, serveQueued } from './queued.ts'

/**
 * Up to this number of waiting jobs travel in one message, because for each message the main thread has to wake a
 * thread.
 */
const JOBS_PER_MESSAGE = 32

/**
 * A CPU task on the main thread holds up every other request. Here tasks run in worker threads, first in, first out: the
 * main thread sends a message and gets one back, with many jobs in one message while many wait.
 */
export const createCompute: CreateCompute = async options => {
  const { threads, logger, fetching } = options
  const pool = new TaskThreads({ ...options, ...fetching })
  await pool.ready()
  const queue = new WorkQueue<TaskJob, TaskReply>({
    workers: threads,
    slots: pool.slots,
    jobsPerMessage: JOBS_PER_MESSAGE,
    dispatch: (jobs, slot) => pool.dispatch(jobs, slot),
  })
  return {
    ...runQueued(queue, logger),
    ...(fetching && { serve: serveQueued(queue, logger, job => pool.cancel(job)) }),
    queue: queue,
    readPool: async () => ({
      size: threads,
      queueLength: queue.length,
      threadCpuMicros: await pool.readCpuMicros(),
    }),
    childUsage: async () => noChildren,
    kill: () => pool.kill(),
    close: () => pool.close(),
  }
}
