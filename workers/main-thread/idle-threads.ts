import type { MessageEnd } from '../../lib/main-thread/job.ts'
import type { TaskJob, TaskPoolOptions, TaskReply } from '../job.ts'
import { TaskThreads } from './task-threads.ts'

/** Threads of this process that take a job only if one of them is idle. */
export class IdleThreads {
  readonly #pool: TaskThreads
  readonly #idle: number[]

  constructor(options: TaskPoolOptions) {
    this.#pool = new TaskThreads(options)
    this.#idle = Array.from({ length: options.threads }, (_, slot) => slot)
  }

  ready(): Promise<void> {
    return this.#pool.ready()
  }

  /** @returns undefined if no thread is idle */
  dispatch(job: TaskJob): Promise<MessageEnd<TaskReply>> | undefined {
    const slot = this.#idle.pop()
    return slot === undefined ? undefined : this.#run(job, slot)
  }

  async #run(job: TaskJob, slot: number): Promise<MessageEnd<TaskReply>> {
    try {
      // A job alone has no others before which it could end.
      return await this.#pool.dispatch([job], slot, () => {})
    } finally {
      this.#idle.push(slot)
    }
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return this.#pool.readCpuMicros()
  }

  kill(): Promise<void> {
    return this.#pool.kill()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
