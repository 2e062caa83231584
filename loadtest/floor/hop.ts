import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { JOBS_PER_MESSAGE, MESSAGES_PER_THREAD, type MessageEnd } from '../../lib/main-thread/job.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { ThreadData } from './thread.ts'

/** A worker thread, with those who wait for its replies, in the order of the messages. */
interface Thread {
  readonly worker: Worker
  readonly waiting: ((outcome: MessageEnd<string>) => void)[]
}

/** Threads that make the bodies of paths, behind the queue that the app uses for its own threads. */
export interface Hop {
  readonly queue: WorkQueue<string, string>
  close(): Promise<unknown>
}

/** Starts threads that do nothing but make bodies, so that a request costs the main thread a hop and nothing else. */
export function startHop(count: number, workerData: ThreadData): Hop {
  const threads = Array.from({ length: count }, () => startThread(workerData))
  const queue = new WorkQueue<string, string>({
    workers: count,
    slots: count * MESSAGES_PER_THREAD,
    jobsPerMessage: JOBS_PER_MESSAGE,
    dispatch: paths =>
      new Promise(resolve => {
        const idlest = threads.reduce((best, each) =>
          each.waiting.length < best.waiting.length ? each : best,
        )
        idlest.waiting.push(resolve)
        idlest.worker.postMessage(paths)
      }),
  })
  return { queue, close: () => Promise.all(threads.map(({ worker }) => worker.terminate())) }
}

function startThread(workerData: ThreadData): Thread {
  const thread: Thread = {
    worker: new Worker(join(import.meta.dirname, 'thread.ts'), { name: 'answer', workerData }),
    waiting: [],
  }
  thread.worker.on('message', (replies: readonly string[]) =>
    thread.waiting.shift()?.({ kind: 'replies', replies }),
  )
  return thread
}
