import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { Hang } from '../../../lib/threads/hang.ts'
import type { MediaType } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import type { PageUpstream } from '../../pages/sources.ts'
import type { PartName } from '../../pages/view/part.tsx'
import type { PageQuery } from '../../pages/view/query.ts'
import type { PoolReading } from '../../pool.ts'
import type { Problem } from '../../problems.ts'
import type { SpanHandle, WorkTimes } from '../apm/contract.ts'
import type { Answer } from '../framework/contract.ts'

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
  /**
   * Kills one render thread, even if it is busy, and waits until another one is ready; fault switches use it. Absent if
   * the implementation has no threads.
   */
  kill?(): Promise<void>
  /** Keeps a thread that renders from its work; fault switches use it. Resolves when that is over. */
  hang(hang: Hang): Promise<unknown>
  /** Ends the threads of this implementation. */
  close(): Promise<void>
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
  /** Called once: with the times of the page when nothing of it is left to render, or with the reason why it failed. */
  onEnd(outcome: WorkTimes | Problem): void
}

export interface RenderingOptions {
  /** Number of threads. */
  readonly threads: number
  /** Nice value of the threads, 0 to 19. Threads have their own nice value only on Linux. */
  readonly workerPriority: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly workerMemoryMib: number
  /** The file of the page, a `PageModule`: `app/pages/page.ts`, or a file of a test. */
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

/** The upstream as render threads call it. */
export interface PageFetching {
  /** The module of the page for threads that fetch. */
  readonly pageFile: string
  /** The data with which a thread creates its client. */
  readonly data: unknown
  /** Records a call that a thread makes for the request with the span `parent`. */
  begin(parent: SpanHandle): FetchingCall
}

/** A call that a thread makes, until `end` is called or nobody can know its end; further calls do nothing. */
export interface FetchingCall {
  /** The name by which the thread tells an end that comes after that of the page. */
  readonly id: number
  /** The headers that the call has to pass on. */
  readonly headers: Readonly<Record<string, string>>
  end(times: CallTimes): void
  /** Says that the page has ended. The thread may still tell the end of the call, until a while after this deadline. */
  abandon(deadline: number): void
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
