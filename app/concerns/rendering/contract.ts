import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { MediaType } from '../../../orders/order.ts'
import type { Answer } from '../../answer.ts'
import type { RequestContext } from '../../context.ts'
import type { PageUpstream } from '../../pages/sources.ts'
import type { PartName } from '../../pages/view/part.tsx'
import type { PageQuery } from '../../pages/view/query.ts'
import type { PoolReading, WorkTimes } from '../../pool.ts'
import type { Problem } from '../../problems.ts'

/** Renders the page, which is one tree of React. The document is the same wherever it is rendered. */
export interface Rendering {
  /**
   * Renders a page. Resolves when its shell is ready, and so the status is known.
   * @throws Problem PART_FAILED when a component of the shell throws or render threads die again and again, UPSTREAM_* when
   * there are no orders, DEADLINE_PASSED when the page did not begin in time, CLIENT_GONE when the client left before
   */
  render(page: PageRequest): Promise<Answer['body']>
  /** The queue in which pages wait. */
  readonly queue: Queue
  /** The present state of the pool; undefined if the implementation has none. */
  readPool(): Promise<PoolReading | undefined>
  /** For fault switches. Absent if the implementation has no threads. */
  readonly threads?: RenderThreads
  /** Ends the threads of this implementation. */
  close(): Promise<void>
}

export interface RenderThreads {
  /** Kills one thread, even if it is busy, and waits until another one is ready. */
  kill(): Promise<void>
  /** Makes a page with these props instead of those of an order. Absent if the module of the page cannot hang. */
  stream?(page: {
    readonly url: string
    readonly props: Readonly<Record<string, unknown>>
    readonly shellDeadline: number
  }): Promise<unknown>
}

/** A page that a client asked for. */
export interface PageRequest {
  readonly context: RequestContext
  readonly query: PageQuery
  /** The number of this answer in its Content-Security-Policy, which allows the scripts that have it. */
  readonly nonce: string
  /** Milliseconds by the monotonic clock: parts that are not ready by then are given up. */
  readonly deadline: number
  /** Called for each part that the page lacks. */
  onMissing(part: PartName, problem: Problem): void
  /** Called once with the times of a page that did not fail, when nothing of it is left to render. */
  onEnd(times: WorkTimes): void
}

export interface RenderingOptions {
  /** Number of threads. */
  readonly threads: number
  /** Nice value of the threads, 0 to 19. Threads have their own nice value only on Linux. */
  readonly workerPriority: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly workerMemoryMib: number
  /** The file of the page, a `PageModule`: `app/pages/page.ts`, or one with faults. */
  readonly pageFile: string
  /** The time limit of a page, in milliseconds. A stuck thread is replaced before this time. */
  readonly partTimeoutMs: number
  /** The upstream as the main thread calls it. */
  readonly upstream: PageUpstream
  /** The media type of its answers. */
  readonly upstreamType: MediaType
  /** For threads that fetch the data themselves. Absent if the main thread fetches it. */
  readonly fetching?: PageFetching | undefined
}

/** How render threads get the data of pages. */
export interface PageFetching {
  /** The module of the page as the threads load it. */
  readonly app: URL
  /** What its `setup` gets. */
  readonly appOptions?: unknown
  /** @throws Problem when there are no orders, DEADLINE_PASSED, CLIENT_GONE */
  open(request: PageRequest): Promise<OpenData> | OpenData
}

/** The data of one page. */
export interface OpenData {
  /** The props by which the module of the page gets the data. */
  readonly props: object
  /** Reads a note of the thread. @returns false if the note is not about the data */
  read?(note: unknown): boolean
  /** Called when the page needs no more data. */
  over?(): void
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
