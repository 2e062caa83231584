import { join } from 'node:path'
import { Tinypool } from 'tinypool'
import { type CreatePool, computeInPool, unkeptByPools } from '../../../app/concerns/compute/library-pool.ts'
import { processData } from '../../../workers/protocol.ts'

/** As for Piscina, of which Tinypool is a smaller copy. */
const JOBS_PER_THREAD = 16

export const unkept = unkeptByPools

export const createCompute: CreatePool = options => {
  const { threads, workerMemoryMib } = options
  const { priority: _, ...workerData } = processData(options)
  const pool = new Tinypool({
    filename: join(import.meta.dirname, 'tinypool-thread.ts'),
    name: 'runJob',
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: JOBS_PER_THREAD,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib },
    workerData,
  })
  return computeInPool(options, {
    run: job => pool.run(job),
    queueLength: () => pool.queueSize,
    threads: pool.threads,
    close: () => pool.destroy(),
  })
}
