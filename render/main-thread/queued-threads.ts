import { JOBS_PER_MESSAGE, MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { PartReply } from '../protocol.ts'
import { RenderThreads, type RenderThreadsOptions } from './render-threads.ts'

/**
 * A thread is stuck if it makes no progress for half of the time limit of a part. The limit is only half, so that the
 * parts that wait behind an endless part can still be rendered in time. The minimum keeps a thread that has just
 * started, or shares its core, from being taken for stuck.
 */
const STUCK_SHARE = 1 / 2
const STUCK_AT_LEAST_MS = 500

interface QueuedThreads<Call> {
  readonly pool: RenderThreads
  /** The queue in which parts wait for the threads, first in, first out. */
  readonly queue: WorkQueue<Call, PartReply>
}

/**
 * Starts render threads with the queue in front of them.
 * @throws when a thread ends before it was ready, for example because its files cannot be loaded
 */
export async function startRenderThreads<Call>({
  partTimeoutMs,
  ...options
}: Omit<RenderThreadsOptions, 'stuckAfterMs'> & { readonly partTimeoutMs: number }): Promise<
  QueuedThreads<Call>
> {
  const pool = new RenderThreads({
    ...options,
    stuckAfterMs: Math.max(STUCK_AT_LEAST_MS, partTimeoutMs * STUCK_SHARE),
  })
  try {
    await pool.ready()
  } catch (error) {
    await pool.close()
    throw error
  }
  const queue = new WorkQueue<Call, PartReply>({
    workers: options.size,
    slots: options.size * MESSAGES_PER_THREAD,
    jobsPerMessage: JOBS_PER_MESSAGE,
    dispatch: (calls, slot) => pool.dispatch(calls, slot),
  })
  return { pool, queue }
}
