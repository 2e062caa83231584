import { Piscina } from 'piscina'
import type { Unkept } from '../../../app/concerns/compute/contract.ts'
import { computeInPool, unkeptByPools } from '../../../app/concerns/compute/library-pool.ts'
import { piscinaOptions } from '../../../app/concerns/compute/piscina.ts'
import type { CreatePool } from '../../../app/concerns/compute/pool-options.ts'

const { death: _death, 'memory limit': _memory, ...unkeptHere } = unkeptByPools
export const unkept: Unkept = unkeptHere

/** Runs tasks in the threads of Piscina, one in a thread at a time, as it does by default. */
export const createCompute: CreatePool = options => {
  const pool = new Piscina({ ...piscinaOptions(options), concurrentTasksPerWorker: 1 })
  return computeInPool(options, {
    run: job => pool.run(job),
    queueLength: () => pool.queueSize,
    threads: pool.threads,
    close: () => pool.destroy(),
  })
}
