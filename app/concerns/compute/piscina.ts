import { join } from 'node:path'
import { FixedQueue, Piscina } from 'piscina'
import { readThreads } from '../../../lib/os/thread-usage.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { processData, type TaskJob, type TaskReply } from '../../../workers/protocol.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import { type CreateCompute, jobFor, noChildren, type Unkept } from './contract.ts'
import { answerOf, resultsOf } from './outcome.ts'

/** A thread wakes once for all jobs that it holds. */
const JOBS_PER_THREAD = 16

const uncancelled = 'a job that can be cancelled cannot share its thread, which costs throughput'
const together = 'all jobs that share a thread fail when it ends'

export const unkept: Unkept = {
  leaving: uncancelled,
  deadline: `${uncancelled}; its thread looks at the deadline when its turn comes`,
  'time limit': uncancelled,
  'memory limit': together,
  rerun: together,
  death: together,
}

/**
 * Runs tasks in the threads of Piscina, which is set up for throughput as its manual says: a fixed number of threads, its
 * fast queue, no measurements of its own, and no signal to cancel a task.
 */
export const createCompute: CreateCompute = async options => {
  const { threads, logger } = options
  const { priority, ...files } = processData(options)
  const pool = new Piscina({
    filename: join(import.meta.dirname, 'piscina-thread.ts'),
    name: 'runJob',
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: JOBS_PER_THREAD,
    stricterFIFO: true,
    taskQueue: new FixedQueue(),
    recordTiming: false,
    niceIncrement: priority,
    resourceLimits: { maxOldGenerationSizeMb: options.workerMemoryMib },
    workerData: files,
  })
  // A job without tasks says whether the files could be loaded.
  await pool.run({ calls: [] }).catch(async (error: unknown) => {
    await pool.destroy()
    throw error
  })

  async function run(context: RequestContext, job: TaskJob) {
    if (context.gone) throw new Problem('CLIENT_GONE')
    const asked = { context, askedAtMs: monotonicMs() }
    try {
      return { reply: (await pool.run(job)) as TaskReply, asked }
    } catch (error) {
      throw new Problem('TASK_FAILED', undefined, (error as Error).message)
    }
  }

  return {
    async run(context, ...tasks) {
      const { reply, asked } = await run(context, jobFor(context, tasks))
      return resultsOf(reply, asked, logger)
    },
    async answer(context, input, ...tasks) {
      const { reply, asked } = await run(context, jobFor(context, tasks, input))
      return answerOf(reply, asked, logger)
    },
    // Piscina does not tell how long the first in line has waited.
    queue: { workers: threads, oldestWaitMs: () => 0 },
    readPool: async () => ({
      size: threads,
      queueLength: pool.queueSize,
      threadCpuMicros: await readThreads(pool.threads),
    }),
    childUsage: async () => noChildren,
    close: () => pool.destroy(),
  }
}
