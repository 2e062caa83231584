import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { TaskJob, TaskReply } from '../../../workers/job.ts'
import { TaskProcesses } from '../../../workers/main-thread/task-processes.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { operated } from '../../server/operated.ts'
import type { CreateCompute } from './contract.ts'
import { runQueued } from './queued.ts'

/** Runs tasks in child processes, which was the way before Node.js had threads. */
export const createCompute: CreateCompute<PoolValues> = async options => {
  const { threads, logger } = options
  const pool = new TaskProcesses(options)
  await pool.ready()
  const queue = new WorkQueue<TaskJob, TaskReply>({
    workers: threads,
    slots: pool.slots,
    jobsPerMessage: 1,
    dispatch: jobs => pool.dispatch(jobs),
  })
  return {
    run: runQueued(queue, logger),
    operated: operated({
      queue,
      readPool: async () => ({ size: threads, queueLength: queue.length, threadCpuMicros: new Map() }),
      childUsage: () => pool.usage(),
      kill: () => pool.kill(),
    }),
    close() {
      queue.close()
      return pool.close()
    },
  }
}
