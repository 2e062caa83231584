import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { outside } from '../../lib/threads/outside.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import type { TaskThread } from './task-thread.ts'
import type { TaskThreads } from './task-threads.ts'

interface ScalingOptions {
  readonly pool: TaskThreads
  readonly queue: WorkQueue<TaskJob, TaskReply>
  readonly minThreads: number
  readonly maxThreads: number
  readonly concurrentTasks: number
  /** A thread above the minimum ends once it has had nothing to do for this time, and at most twice this time. */
  readonly idleTimeout: number
}

/** Starts threads while tasks wait, and ends those that have nothing to do. */
export class Scaling {
  readonly #options: ScalingOptions
  #timer: NodeJS.Timeout | undefined
  /** The threads that had nothing to do at the last look, with the number of messages that they had been sent. */
  #idle = new Map<TaskThread, number>()

  constructor(options: ScalingOptions) {
    this.#options = options
    this.#fit()
    this.#look()
  }

  /** Has to be called when a task was given. */
  grow(): void {
    const { pool, queue, maxThreads } = this.#options
    const { threads } = pool
    if (queue.length === 0 || threads.length >= maxThreads) return
    if (queue.length <= threads.filter(({ isReady }) => !isReady).length) return
    outside(() => pool.add())?.ready.then(
      () => this.#onReady(),
      () => {},
    )
    this.#look()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #onReady(): void {
    this.#fit()
    this.grow()
  }

  #look(): void {
    const { pool, minThreads, idleTimeout } = this.#options
    if (pool.threads.length <= minThreads || !Number.isFinite(idleTimeout)) return
    this.#timer ??= outside(() => setInterval(() => this.#shrink(), Math.max(1, idleTimeout)).unref())
  }

  #shrink(): void {
    const { pool, minThreads } = this.#options
    const idle = pool.threads.filter(({ isReady, work }) => isReady && work.load === 0)
    const spare = idle.filter(thread => this.#idle.get(thread) === thread.work.messages)
    for (const thread of spare.slice(0, pool.threads.length - minThreads)) void pool.dismiss(thread)
    this.#idle = new Map(idle.map(thread => [thread, thread.work.messages]))
    this.#fit()
    if (pool.threads.length > minThreads) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Hands out as many messages as the threads take; while there can be more threads, only those that are begun at once. */
  #fit(): void {
    const { pool, queue, maxThreads, concurrentTasks } = this.#options
    const ready = pool.threads.filter(({ isReady }) => isReady).length
    const each = ready < maxThreads ? concurrentTasks : pool.messagesPerThread
    queue.resize(Math.max(1, ready), ready * each)
  }
}
