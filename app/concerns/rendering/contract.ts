import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { CallHeaders } from '../../../lib/telemetry/call-times.ts'
import type { Hang } from '../../../lib/threads/hang.ts'
import type { MediaType } from '../../../orders/order.ts'
import type { Answer } from '../../answer.ts'
import type { CallSpan } from '../../call-span.ts'
import type { RequestContext, SpanHandle } from '../../context.ts'
import type { PageUpstream, SourceName } from '../../pages/sources.ts'
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

/** The settings with which render threads fetch the data of a page. */
export interface PageFetching {
  /** The URL of a module with the exports of `pages/fetch-in-thread.ts`. */
  readonly file: string
  /** The data with which it creates its client. */
  readonly data: unknown
  /** Records a call that a thread makes for the request with the span `parent`. */
  begin(parent: SpanHandle): CallSpan
}

/** The props of a page whose data its thread fetches. */
export interface FetchingProps {
  readonly query: PageQuery
  /** The deadline of the request, which limits the calls. Milliseconds by the monotonic clock. */
  readonly callDeadline: number
  /** Headers that the calls pass on. Absent for a page that a fault asks for, which fetches nothing. */
  readonly headers?: Readonly<Record<SourceName, CallHeaders>>
  /** The names of the calls for `ThreadClient.endLate`. Present with the headers. */
  readonly callIds?: Readonly<Record<SourceName, number>>
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
