import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { FixedThreadPool } from 'poolifier'
import type { Unkept } from '../../../app/concerns/compute/contract.ts'
import { type CreatePool, computeInPool, unkeptByPools } from '../../../app/concerns/compute/library-pool.ts'
import { processData } from '../../../workers/protocol.ts'

const unanswered = 'jobs that a thread holds when it dies never settle'

export const unkept: Unkept = {
  ...unkeptByPools,
  'memory limit': unanswered,
  death: unanswered,
}

/**
 * Runs tasks in the threads of poolifier, a fixed number of them. Without its own queue, its default, each job is sent
 * at once to the thread that holds fewest.
 */
export const createCompute: CreatePool = options => {
  const { threads, workerMemoryMib } = options
  const { priority: _, ...workerData } = processData(options)
  const pool = new FixedThreadPool(threads, join(import.meta.dirname, 'poolifier-thread.ts'), {
    workerOptions: { workerData, resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib } },
    errorHandler: () => {},
  })
  return computeInPool(options, {
    run: job => pool.execute(job),
    queueLength: () => pool.info.queuedTasks ?? 0,
    async close() {
      // Its WorkerNode.terminate() begins to wait for `exit` after it has asked the thread to end. A thread that has ended by then,
      // which is likely while the main thread is busy, lets destroy() wait for ever.
      const workers: Worker[] = pool.workerNodes.map(({ worker }: { worker: Worker }) => worker)
      const exits = Promise.all(workers.map(worker => once(worker, 'exit')))
      await Promise.race([pool.destroy(), exits])
    },
  })
}
