import { join } from 'node:path'
import { pool as createPool } from 'workerpool'
import type { Unkept } from '../../../app/concerns/compute/contract.ts'
import { type CreatePool, computeInPool, unkeptByPools } from '../../../app/concerns/compute/library-pool.ts'
import { processData } from '../../../workers/protocol.ts'

const stalled = 'after a thread has died, jobs that wait stay where they are until the next job is given'

export const unkept: Unkept = { ...unkeptByPools, 'memory limit': stalled, death: stalled }

export const createCompute: CreatePool = options => {
  const { threads, workerMemoryMib } = options
  const { priority: _, ...workerData } = processData(options)
  const pool = createPool(join(import.meta.dirname, 'workerpool-thread.ts'), {
    workerType: 'thread',
    minWorkers: threads,
    maxWorkers: threads,
    workerThreadOpts: { workerData, resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib } },
  })
  return computeInPool(options, {
    run: async job => pool.exec('runJob', [job]),
    queueLength: () => pool.stats().pendingTasks,
    close: async () => {
      await pool.terminate()
    },
  })
}
