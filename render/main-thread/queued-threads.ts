import { JOBS_PER_MESSAGE, MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { ThreadPool } from '../../lib/main-thread/thread-pool.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { createMarks } from '../../lib/threads/slot-marks.ts'
import type { PartCall, PartReply } from '../protocol.ts'
import { PartThread } from './part-thread.ts'
import { stuckAfter } from './stuck-after.ts'

interface QueuedThreadsOptions {
  /** A module whose exports are components. */
  readonly partsFile: string
  readonly size: number
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly memoryMib: number
  readonly partTimeoutMs: number
}

interface QueuedThreads {
  readonly pool: ThreadPool<PartThread>
  /** The queue in which parts wait for the threads, first in, first out. */
  readonly queue: WorkQueue<PartCall, PartReply>
}

/**
 * Starts render threads with the queue in front of them.
 * @throws when a thread ends before it was ready, for example because its files cannot be loaded
 */
export async function startRenderThreads(options: QueuedThreadsOptions): Promise<QueuedThreads> {
  const { partsFile, size, priority, memoryMib, partTimeoutMs } = options
  const slots = size * MESSAGES_PER_THREAD
  const data = { partsFile, priority, started: createMarks(slots), left: createMarks(slots) }
  const pool = new ThreadPool<PartThread>({
    size,
    stuckAfterMs: stuckAfter(partTimeoutMs / 2),
    start: onExit => new PartThread(data, memoryMib, onExit),
  })
  await pool.ready()
  const threadOf = (slot: number) => pool.threads[slot % size] as PartThread
  const queue = new WorkQueue<PartCall, PartReply>({
    workers: size,
    slots,
    jobsPerMessage: JOBS_PER_MESSAGE,
    dispatch(calls, slot) {
      const dispatched = threadOf(slot).dispatch(calls, slot)
      pool.wake()
      return dispatched
    },
    leave: (call, slot) => threadOf(slot).leavePart(call, slot),
  })
  return { pool, queue }
}
