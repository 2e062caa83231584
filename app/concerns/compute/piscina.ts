import { join } from 'node:path'
import { FixedQueue, Piscina } from 'piscina'
import type { PoolValues } from '../../../workers/options.ts'
import { processData } from '../../../workers/protocol.ts'
import type { ComputeOptions, CreateCompute } from './contract.ts'
import { computeInPool, unkeptByPools } from './library-pool.ts'

/** A thread wakes once for all jobs that it holds. */
const JOBS_PER_THREAD = 16

export const unkept = unkeptByPools

/** The options of Piscina that its manual gives for throughput, with a fixed number of threads and first in, first out. */
export const piscinaOptions = (options: ComputeOptions & PoolValues) => {
  const { threads, workerMemoryMib } = options
  const { priority, ...workerData } = processData(options)
  return {
    filename: join(import.meta.dirname, 'piscina-thread.ts'),
    name: 'runJob',
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: JOBS_PER_THREAD,
    stricterFIFO: true,
    taskQueue: new FixedQueue(),
    recordTiming: false,
    niceIncrement: priority,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib },
    workerData,
  }
}

/**
 * Runs tasks in the threads of Piscina, which is set up for throughput as its manual says: a fixed number of threads, its
 * fast queue, no measurements of its own, and no signal to cancel a task.
 */
export const createCompute: CreateCompute<PoolValues> = options => {
  const pool = new Piscina(piscinaOptions(options))
  return computeInPool(options, {
    run: job => pool.run(job),
    queueLength: () => pool.queueSize,
    threads: pool.threads,
    close: () => pool.destroy(),
  })
}
