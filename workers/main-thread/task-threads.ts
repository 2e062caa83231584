import { join } from 'node:path'
import { Piscina } from 'piscina'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import { createMarks, type SlotMarks } from '../../lib/slot-marks.ts'
import { readThreads } from '../../lib/thread-usage.ts'
import {
  processData,
  type TaskJob,
  type TaskPoolOptions,
  type TaskReply,
  type ThreadData,
  type ThreadMessage,
} from '../protocol.ts'

const MESSAGES_PER_THREAD = 2

/** Threads that run tasks (Piscina). A thread whose task takes too long is replaced. */
export class TaskThreads {
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  readonly #pool: Piscina
  readonly #started: SlotMarks
  readonly #runners: SlotMarks
  /** The slots with an unanswered message, each with the number of the message. */
  readonly #out = new Map<number, number>()
  #messages = 0
  readonly #timedOut = new Set<number>()
  readonly #watch: ProgressWatch<number>

  constructor(options: TaskPoolOptions) {
    const { threads, taskTimeoutMs, workerMemoryMib } = options
    this.slots = threads * MESSAGES_PER_THREAD
    this.#started = createMarks(this.slots)
    this.#runners = createMarks(this.slots)
    const marks = { started: this.#started, runners: this.#runners }
    this.#pool = startPool(threads, workerMemoryMib, { ...processData(options), ...marks })
    this.#watch = new ProgressWatch(
      taskTimeoutMs,
      () => this.#readProgress(),
      slot => this.#end(slot),
    )
  }

  async ready(): Promise<void> {
    const ping: ThreadMessage = { kind: 'ping' }
    await Promise.all(Array.from({ length: this.#pool.maxThreads }, () => this.#pool.run(ping)))
  }

  /** Sends jobs to a thread. It never rejects: when the thread dies, its jobs are lost. */
  async dispatch(jobs: readonly TaskJob[], slot: number): Promise<Outcome<TaskReply>> {
    Atomics.store(this.#started, slot, 0)
    this.#out.set(slot, ++this.#messages)
    this.#watch.wake()
    try {
      const message: ThreadMessage = { kind: 'tasks', jobs, slot }
      return { kind: 'replies', replies: await this.#pool.run(message) }
    } catch (error) {
      // `answer` never throws, so the thread died. Piscina has replaced it.
      const { message: why } = error as Error
      const timedOut = this.#timedOut.delete(slot)
      const started = Atomics.load(this.#started, slot)
      return { kind: 'lost', started, timedOut, why }
    } finally {
      this.#out.delete(slot)
    }
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.#pool.threads)
  }

  kill(): void {
    void this.#pool.threads[0]?.terminate()
  }

  async close(): Promise<void> {
    this.#watch.close()
    await this.#pool.destroy()
  }

  /**
   * The progress of each message as the number of its started jobs; null for a message that still waits for its thread.
   */
  #readProgress() {
    return [...this.#out].map(([slot, message]) => {
      const started = Atomics.load(this.#started, slot)
      return [slot, started === 0 ? null : `${started} of ${message}`] as const
    })
  }

  #end(slot: number): void {
    this.#timedOut.add(slot)
    const runner = Atomics.load(this.#runners, slot)
    void this.#pool.threads.find(({ threadId }) => threadId === runner)?.terminate()
  }
}

/** Starts a pool that runs messages first in, first out. */
function startPool(threads: number, memoryMib: number, workerData: ThreadData): Piscina {
  const pool = new Piscina({
    filename: join(import.meta.dirname, '../thread.ts'),
    name: 'answer',
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: MESSAGES_PER_THREAD,
    stricterFIFO: true,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    workerData,
  })
  // A thread that dies while idle fails no task, and Piscina replaces it.
  pool.on('error', () => {})
  return pool
}
