import { type AnsweringThreads, answeringThreads } from '../../../workers/main-thread/answering-threads.ts'
import { startTaskThreads } from '../../../workers/main-thread/queued-threads.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { operated } from '../../server/operated.ts'
import type { Compute, CreateCompute } from './contract.ts'
import { runQueued } from './queued.ts'

/**
 * A CPU task on the main thread holds up every other request. Here tasks run in worker threads, first in, first out: the
 * main thread sends a message and gets one back, with many jobs in one message while many wait.
 */
export const createCompute: CreateCompute<
  PoolValues,
  Compute & { answering: AnsweringThreads }
> = async options => {
  const { pool, queue } = await startTaskThreads(options)
  return {
    run: runQueued(queue, options.logger),
    answering: answeringThreads(pool, queue),
    operated: operated({
      queue,
      readPool: async () => ({
        size: options.threads,
        queueLength: queue.length,
        threadCpuMicros: await pool.readCpuMicros(),
      }),
      kill: () => pool.kill(),
    }),
    close() {
      queue.close()
      return pool.close()
    },
  }
}
