import { readThreads } from '../../../lib/os/usage.ts'
import { outside } from '../../../lib/threads/outside.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { TaskJob, TaskPoolOptions, TaskReply } from '../../../workers/job.ts'
import { JobRun } from '../../../workers/job-run.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { sendable } from '../../../workers/packing.ts'
import { loadTaskFile } from '../../../workers/run-tasks.ts'
import { Problem } from '../../problems.ts'
import { operated } from '../../server/operated.ts'
import { resultsOf } from '../../tasks.ts'
import type { Compute, ComputeOptions, CreateCompute, Unkept } from './contract.ts'
import { jobFor } from './queued.ts'

/** The options of an implementation with a pool, here or on other machines. */
export type PoolOptions = ComputeOptions & PoolValues & { readonly nats?: string | undefined }

export type CreatePool = CreateCompute<PoolValues>

/** A pool of threads from another library, with a queue of its own. */
export interface LibraryPool {
  /** @throws when the job cannot be run, or its thread dies */
  run(job: TaskJob): Promise<TaskReply>
  queueLength(): number
  /** Absent if the library does not tell its threads. */
  readonly threads?: Parameters<typeof readThreads>[0]
  close(): Promise<void>
}

const uncancelled =
  'a job that can be cancelled shares its thread with no other, which costs throughput, so none is'
const together = 'all jobs that a thread holds fail when it ends'

/** The promises that no pool keeps which puts several jobs in a thread. */
export const unkeptByPools: Unkept = {
  leaving: uncancelled,
  deadline: `${uncancelled}; its thread looks at the deadline when its turn comes`,
  'time limit': uncancelled,
  'memory limit': together,
  death: together,
}

/**
 * Runs tasks in the pool of another library.
 * @throws Error when its threads cannot load their files
 */
export async function computeInPool(
  { threads, logger }: ComputeOptions & Pick<PoolValues, 'threads'>,
  pool: LibraryPool,
): Promise<Compute> {
  // A job without tasks says whether the files could be loaded.
  await pool.run({ calls: [] }).catch(async (error: unknown) => {
    await pool.close()
    throw error
  })

  return {
    async run(context, ...tasks) {
      if (context.gone) throw new Problem('CLIENT_GONE')
      const asked = { context, askedAtMs: monotonicMs() }
      const reply = await pool.run(jobFor(context, tasks)).catch((error: Error) => {
        throw new Problem('TASK_FAILED', undefined, error.message)
      })
      return resultsOf(reply, asked, logger)
    },
    // These pools do not tell how long the first in line has waited.
    operated: operated({
      queue: { workers: threads, oldestWaitMs: () => 0 },
      readPool: async () => ({
        size: threads,
        queueLength: pool.queueLength(),
        threadCpuMicros: pool.threads ? await readThreads(pool.threads) : new Map(),
      }),
    }),
    close: () => pool.close(),
  }
}

export async function createRunJob({
  tasksFile,
}: Pick<TaskPoolOptions, 'tasksFile'>): Promise<(job: TaskJob) => Promise<TaskReply>> {
  const tasks = await loadTaskFile(tasksFile)
  return async job => {
    const run = new JobRun(job, tasks)
    await outside(() => run.runTasks())
    const reply = run.reply as TaskReply
    return reply.kind === 'failed' ? sendable(reply, structuredClone<TaskReply>) : reply
  }
}
