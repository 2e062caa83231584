import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { UserError } from '../../../lib/user-error.ts'
import { RemoteTasks } from '../../../workers/main-thread/remote-tasks.ts'
import type { TaskJob, TaskReply } from '../../../workers/protocol.ts'
import { connectNats } from '../../../workers/remote/connect.ts'
import { resource } from '../../resource.ts'
import { type CreateCompute, noChildren } from './contract.ts'
import { runQueued } from './queued.ts'

/** Without any worker for this time, requests are refused at once. A restart of NATS takes less. */
const ABSENCE_MS = 1000

/**
 * Runs tasks on other machines. Jobs wait here, as for threads, until a worker has room for them; then they go through
 * a work-queue stream of NATS, from which the workers pull.
 *
 * @throws UserError when NATS cannot be used, or the workers would have to make answers
 */
export const createCompute: CreateCompute = async ({ nats, tasksFile, answersFile, logger }) => {
  if (answersFile !== undefined) {
    throw new UserError(
      'workers of --compute nats make no answers; with --serialization threads, choose --compute threads or processes',
    )
  }
  const name = `${resource.service} on ${resource.host} (${resource.pid})`
  const remote = await RemoteTasks.start(await connectNats(nats, name), {
    name,
    tasksFile,
    isPressed: () => queue.length > 0,
    onChange: ({ threads, slots }) => queue.resize(threads, slots),
    note: line => logger.warn(line),
  })
  const queue: WorkQueue<TaskJob, TaskReply> = new WorkQueue<TaskJob, TaskReply>({
    workers: 0,
    slots: 0,
    jobsPerMessage: 1,
    dispatch: ([job]) => remote.dispatch(job as TaskJob),
  })
  return {
    ...runQueued(queue, logger, job => remote.cancel(job)),
    queue: {
      get workers() {
        return Math.max(1, queue.workers)
      },
      oldestWaitMs: () =>
        remote.workers.absentMs() > ABSENCE_MS ? Number.POSITIVE_INFINITY : queue.oldestWaitMs(),
    },
    readPool: async () => ({
      size: queue.workers,
      queueLength: queue.length,
      threadCpuMicros: new Map(),
      elsewhere: { workers: remote.workers.all, lateReplies: remote.lateReplies },
    }),
    childUsage: async () => noChildren,
    close: () => remote.close(),
  }
}
