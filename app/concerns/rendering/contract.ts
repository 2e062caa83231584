import type { Outcome } from '../../../lib/main-thread/job.ts'
import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import type { PageCall, PagePieces, PartCall, SourceName } from '../../../render/protocol.ts'
import type { PageDataFile } from '../../../render/thread-data.ts'
import type { RequestContext } from '../../context.ts'
import type { PoolReading } from '../../pool.ts'
import type { WorkTimes } from '../apm/contract.ts'

/** Renders the parts of a page. The HTML is the same wherever they are rendered. */
export interface Rendering {
  /**
   * Renders one part. Calls with the same `input` object share its decoded data.
   * @throws Problem PART_FAILED when a component throws or the render thread dies, UPSTREAM_FAILED when the data is
   * bad, DEADLINE_PASSED when the part did not begin by the deadline of its envelope, CLIENT_GONE when the client left
   * before
   */
  render(context: RequestContext, call: PartCall): Promise<RenderedPart>
  /** Makes whole pages where their data is fetched. Absent if the main thread fetches the data. */
  readonly pages?: PageMaking
  /** The queue in which parts wait, or pages. */
  readonly queue: Queue
  /** The present state of the pool; undefined if the implementation has none. */
  readPool(): Promise<PoolReading | undefined>
  /**
   * Kills one render thread, even if it is busy, and waits until another one is ready; fault switches use it. Absent if
   * the implementation has no threads.
   */
  kill?(): Promise<void>
  /** Ends the threads of this implementation. */
  close(): Promise<void>
}

/** Makes pages in threads that fetch the data themselves. */
export interface PageMaking {
  /** Begins to make a page. It never throws. */
  begin(page: PageRequest): MadePage
}

export interface PageRequest {
  readonly context: RequestContext
  readonly query: PageQuery
  /** Milliseconds by the monotonic clock; after this time no part is started. */
  readonly partDeadline: number
  readonly taker: PageTaker
}

/** The page on the main thread that gets the pieces from the threads. */
export interface PageTaker {
  take(pieces: PagePieces): void
  /** The thread died with the part in this place, or was ended because it made no progress. */
  lose(place: number): void
  /** Whether no more of the page is wanted. */
  readonly isOver: boolean
}

export interface MadePage {
  /**
   * Resolves when the threads have nothing left to do for the page.
   * @throws Problem PART_FAILED when threads die again and again, DEADLINE_PASSED when no thread took the page in time,
   * CLIENT_GONE when the client left before
   */
  readonly done: Promise<void>
  /** Whether the data of this source is being fetched. */
  awaits(source: SourceName): boolean
  /** Ends the rendering for a client that is still there. The fetches go on, because they say how upstream is. */
  abandon(): void
}

/** The upstream as render threads and their pool use it, so that the threads fetch the data of pages themselves. */
export interface PageFetching {
  /** The file that fetches in a render thread. */
  readonly dataFile: PageDataFile
  /** Lets threads make whole pages. @param size number of threads */
  makePages(threads: PageThreads, size: number): PagesInThreads
}

/** The threads that make pages, as the main thread sees them. A page that is being made has a slot. */
export interface PageThreads {
  /** Lets a thread make a page. Resolves when it has nothing left to do for the page, or has died. */
  dispatchPage(call: PageCall, slot: number, take: (pieces: PagePieces) => void): Promise<Outcome<undefined>>
  /** Ends the rendering of a page; its fetches too if the client has left. */
  leavePage(slot: number, isClientGone: boolean): void
  /** Whether the thread of a page is fetching the data of this source. */
  awaits(slot: number, source: SourceName): boolean
}

export interface PagesInThreads {
  readonly pages: PageMaking
  /** The queue in which pages wait. */
  readonly queue: Queue & { readonly length: number }
}

export interface RenderedPart extends WorkTimes {
  /** The HTML in UTF-8. */
  readonly html: Uint8Array
}

export interface RenderingOptions {
  /** Number of threads. */
  readonly threads: number
  /** Nice value of the threads, 0 to 19. Threads have their own nice value only on Linux. */
  readonly workerPriority: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly workerMemoryMib: number
  /** The file that exports `render`, `stream` and `explain`: `renderer.ts`, or a file of a test. */
  readonly rendererFile: string
  /** The upstream as render threads reach it. Absent if the main thread fetches the data. */
  readonly fetching?: PageFetching | undefined
  /** The time limit of a part, in milliseconds. A stuck thread is replaced before this time. */
  readonly partTimeoutMs: number
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
