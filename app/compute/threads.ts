import { join } from 'node:path'
import { Piscina } from 'piscina'
import { readThreads } from '../../lib/thread-usage.ts'
import type { StartMarks, TaskJob, TaskReply, ThreadData, ThreadMessage } from '../../workers/protocol.ts'
import { type Outcome, WorkQueue } from '../../workers/work-queue.ts'
import { type CreateCompute, noChildren } from './contract.ts'
import { runQueued } from './queued.ts'

const MESSAGES_PER_THREAD = 2
/** While many wait, this many travel together: each hop costs the main thread a thread to wake. */
const JOBS_PER_MESSAGE = 32

/** On worker threads of this process (Piscina), first in, first out. */
export const createCompute: CreateCompute = async ({
  threads,
  workerPriority,
  tasksFile,
  codecFile,
  logger,
}) => {
  const slots = threads * MESSAGES_PER_THREAD
  const started: StartMarks = new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT))
  const pool = startPool(threads, { tasksFile, codecFile, started, priority: workerPriority })
  await Promise.all(Array.from({ length: threads }, () => pool.run({ kind: 'ping' } satisfies ThreadMessage)))

  const dispatch = async (jobs: readonly TaskJob[], slot: number): Promise<Outcome<TaskReply>> => {
    Atomics.store(started, slot, 0)
    try {
      return {
        kind: 'replies',
        replies: await pool.run({ kind: 'tasks', jobs, slot } satisfies ThreadMessage),
      }
    } catch {
      // `answer` never throws, so the thread died; Piscina has replaced it.
      return { kind: 'lost', started: Atomics.load(started, slot) }
    }
  }
  const queue = new WorkQueue({ slots, jobsPerMessage: JOBS_PER_MESSAGE, lost: 'TASK_FAILED', dispatch })
  return {
    ...runQueued(queue, logger),
    lane: { workers: threads, oldestWaitMs: () => queue.oldestWaitMs() },
    readPool: async () => ({
      size: threads,
      queueLength: queue.length,
      threadCpuMicros: await readThreads(pool.threads),
    }),
    childUsage: async () => noChildren,
    close: () => pool.destroy(),
  }
}

function startPool(threads: number, workerData: ThreadData): Piscina {
  const pool = new Piscina({
    filename: join(import.meta.dirname, '../../workers/thread.ts'),
    name: 'answer',
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: MESSAGES_PER_THREAD,
    stricterFIFO: true,
    recordTiming: false,
    workerData,
  })
  // A thread that dies while idle fails no task; Piscina replaces it.
  pool.on('error', () => {})
  return pool
}
