import type { Queue } from '../../lib/main-thread/watched-queue.ts'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import { streamPage } from '../../render/main-thread/page-body.ts'
import type { PageThreads } from '../../render/main-thread/renderer-types.ts'

/** What the operation of the service reads of the threads or processes of an implementation, and does to them. */
export interface Operated {
  /** The queue in which work waits. Absent if none waits. */
  readonly queue?: Queue
  /** The present state of the pool. Absent if there is none. */
  readPool?(): Promise<PoolReading>
  /**
   * CPU time and memory of the child processes so far. Threads are not included: they are part of the app's own
   * process. Workers on other machines count with their CPU time. Absent if there are none.
   */
  childUsage?(): Promise<ProcessUsage>
  /**
   * Kills one thread or process, even if it is busy, and waits until another one is ready; fault switches use it. Absent
   * if there is neither.
   */
  kill?(): Promise<void>
  /** Makes a page with these props instead of those of an order. Absent if the module of the page cannot hang. */
  stream?(page: {
    readonly url: string
    readonly props: Readonly<Record<string, unknown>>
    readonly shellDeadline: number
  }): Promise<unknown>
}

/** Marks what an implementation says of its threads or processes. The branch of a step has no line that calls this. */
export const operated = <Reading extends Operated>(of: Reading): Reading => of

/** The same of render threads. @param size number of threads @param canHang whether the module of their page can */
export const operatedThreads = (threads: PageThreads, size: number, canHang = false): Operated => ({
  queue: { workers: size, oldestWaitMs: () => threads.waiting.oldestMs },
  readPool: async () => ({
    size,
    queueLength: threads.waiting.pages,
    threadCpuMicros: await threads.readCpuMicros(),
  }),
  kill: () => threads.kill(),
  ...(canHang && { stream: page => streamPage(threads, page) }),
})

export interface PoolReading {
  readonly size: number
  readonly queueLength: number
  /** CPU time of each thread of this process, by thread id. */
  readonly threadCpuMicros: ReadonlyMap<number, number>
}
