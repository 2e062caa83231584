import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import { MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { readThreads } from '../../lib/os/thread-usage.ts'
import { createMarks, type SlotMarks } from '../../lib/threads/slot-marks.ts'
import { describeThrown } from '../../lib/threads/thrown.ts'
import {
  processData,
  type TaskJob,
  type TaskPoolOptions,
  type TaskReply,
  type ThreadData,
} from '../protocol.ts'
import { TaskThread } from './task-thread.ts'

const RESTART_DELAY_MS = 500

/**
 * Threads that run tasks. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip costs more. A thread whose task takes too long is replaced.
 */
export class TaskThreads {
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  readonly #data: ThreadData
  readonly #memoryMib: number
  readonly #threads: TaskThread[]
  readonly #started: SlotMarks
  readonly #watch: ProgressWatch<number>
  #jobs = 0
  #isClosing = false

  constructor(options: TaskPoolOptions) {
    const { threads, taskTimeoutMs, workerMemoryMib } = options
    this.slots = threads * MESSAGES_PER_THREAD
    this.#started = createMarks(this.slots)
    this.#data = { ...processData(options), started: this.#started }
    this.#memoryMib = workerMemoryMib
    this.#threads = Array.from({ length: threads }, (_, index) => this.#start(index))
    this.#watch = new ProgressWatch(
      taskTimeoutMs,
      () => this.#readProgress(),
      slot => this.#end(slot),
    )
  }

  /** @throws when a thread ends before it was ready */
  async ready(): Promise<void> {
    await Promise.all(this.#threads.map(({ ready }) => ready))
  }

  /**
   * Sends jobs to the thread with the fewest messages of those that have started. It never rejects: when the thread dies,
   * its jobs are lost.
   */
  dispatch(jobs: readonly TaskJob[], slot: number): Promise<Outcome<TaskReply>> {
    const [first, ...others] = this.#threads as [TaskThread, ...TaskThread[]]
    const idlest = others.reduce((best, each) => (busyness(each) < busyness(best) ? each : best), first)
    Atomics.store(this.#started, slot, 0)
    this.#watch.wake()
    const firstId = this.#jobs
    this.#jobs += jobs.length
    return dispatchSendable(
      jobs,
      sendable => idlest.send(sendable, slot, firstId),
      (error): TaskReply => ({ kind: 'failed', ...describeThrown(error) }),
    )
  }

  /** Tells the thread that works on a job that its client has left. */
  cancel(job: TaskJob): void {
    for (const thread of this.#threads) thread.cancel(job)
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.#threads.map(({ worker }) => worker))
  }

  /** Ends a thread. Resolves when another one is ready, or could not start. */
  async kill(): Promise<void> {
    await this.#threads[0]?.worker.terminate()
    await this.ready().catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#watch.close()
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #start(index: number): TaskThread {
    const worker = new Worker(join(import.meta.dirname, '../thread.ts'), {
      name: 'answer',
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMib },
    })
    return new TaskThread(worker, dead => this.#replace(dead, index))
  }

  /**
   * Starts a new thread at once, or after a pause if the dead one was never ready. The jobs of the dead thread are
   * given back once the new thread exists, so that it can take them.
   */
  #replace(dead: TaskThread, index: number): void {
    const start = () => {
      if (this.#isClosing) return
      this.#threads[index] = this.#start(index)
      dead.giveBack(slot => Atomics.load(this.#started, slot))
    }
    if (dead.isReady) start()
    else setTimeout(start, RESTART_DELAY_MS).unref()
  }

  /** The progress of each message as its running job; null for a message of which no job runs. */
  #readProgress() {
    return this.#threads.flatMap(thread =>
      thread.slots.map(slot => {
        const started = Atomics.load(this.#started, slot)
        return [slot, started === 0 ? null : `${started} from ${thread.firstIdOf(slot)}`] as const
      }),
    )
  }

  #end(slot: number): void {
    this.#threads.find(({ slots }) => slots.includes(slot))?.end(slot)
  }
}

const busyness = ({ isReady, load }: TaskThread): number => (isReady ? load : Number.POSITIVE_INFINITY)
