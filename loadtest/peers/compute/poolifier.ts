import { join } from 'node:path'
import { FixedThreadPool } from 'poolifier'
import type { CreateCompute } from '../../../app/concerns/compute/contract.ts'
import { computeInPool, unkeptByPools } from '../../../app/concerns/compute/library-pool.ts'
import { processData } from '../../../workers/protocol.ts'

export const unkept = unkeptByPools

/**
 * Runs tasks in the threads of poolifier, a fixed number of them. Without its own queue, its default, each job is sent
 * at once to the thread that holds fewest.
 */
export const createCompute: CreateCompute = options => {
  const { threads, workerMemoryMib } = options
  const { priority: _, ...workerData } = processData(options)
  const pool = new FixedThreadPool(threads, join(import.meta.dirname, 'poolifier-thread.ts'), {
    workerOptions: { workerData, resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib } },
    errorHandler: () => {},
  })
  return computeInPool(options, {
    run: job => pool.execute(job),
    queueLength: () => pool.info.queuedTasks ?? 0,
    close: () => pool.destroy(),
  })
}
