import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { TaskJob, TaskReply } from '../../../workers/job.ts'
import type { KnownWorkers } from '../../../workers/main-thread/known-workers.ts'
import { RemoteTasks } from '../../../workers/main-thread/remote-tasks.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { connectNats } from '../../../workers/remote/connect.ts'
import { resource } from '../../context.ts'
import { operated, type PoolReading } from '../../server/operated.ts'
import type { CreateCompute } from './contract.ts'
import { runQueued } from './queued.ts'

/** If there was no worker for this time, requests are refused at once. A restart of NATS takes less. */
const ABSENCE_MS = 1000

/**
 * Runs tasks on other machines. Jobs wait here, as for threads, until a worker has room for them; then they go through
 * a work-queue stream of NATS, from which the workers pull.
 * @throws UserError when NATS cannot be used
 */
export const createCompute: CreateCompute<
  PoolValues & { readonly nats?: string | undefined }
> = async options => {
  const { nats, tasksFile, logger } = options
  const name = `${resource.service} on ${resource.host} (${resource.pid})`
  const connection = await connectNats(nats, name)
  const queue: WorkQueue<TaskJob, TaskReply> = new WorkQueue<TaskJob, TaskReply>({
    workers: 0,
    slots: 0,
    jobsPerMessage: 1,
    dispatch: ([job]) => remote.dispatch(job as TaskJob),
  })
  const remote = await RemoteTasks.start(connection, {
    tasksFile,
    isPressed: () => queue.length > 0,
    onChange: ({ threads, slots }) => queue.resize(threads, slots),
    note: line => logger.warn(line),
  })
  return {
    run: runQueued(queue, logger, job => remote.cancel(job)),
    operated: operated({
      queue: refusing(queue, remote.workers),
      readPool: async (): Promise<RemoteReading> => ({
        size: queue.workers,
        queueLength: queue.length,
        threadCpuMicros: new Map(),
        elsewhere: remote.workers.all,
      }),
      async childUsage() {
        await remote.workers.refresh()
        const cpuMicros = remote.workers.all.reduce((sum, worker) => sum + worker.cpuMicros, 0)
        return { cpuMicros, residentBytes: 0 }
      },
    }),
    async close() {
      queue.close()
      await remote.close()
    },
  }
}

/** The queue as admission control sees it: without any worker, a request would wait for its deadline. */
const refusing = (queue: Queue, workers: KnownWorkers): Queue => ({
  get workers() {
    return Math.max(1, queue.workers)
  },
  oldestWaitMs: () => (workers.absentMs() > ABSENCE_MS ? Number.POSITIVE_INFINITY : queue.oldestWaitMs()),
})

/** The reading of a pool that has workers on other machines. */
export interface RemoteReading extends PoolReading {
  readonly elsewhere: readonly {
    readonly worker: string
    /** Number of jobs that it holds. */
    readonly held: number
    readonly cpuMicros: number
  }[]
}
