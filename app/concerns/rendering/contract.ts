import type { PartCall } from '../../../render/protocol.ts'
import type { RequestContext } from '../../context.ts'
import type { Queue } from '../../overload/queue.ts'
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
  /** The queue in which parts wait. */
  readonly queue: Queue
  /** The present state of the pool; undefined if the implementation has none. */
  readPool(): Promise<PoolReading | undefined>
  /**
   * Kills one render thread, even if it is busy; fault switches use it. Absent if the implementation has no threads.
   */
  kill?(): void
  /** Ends the threads of this implementation. */
  close(): Promise<void>
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
  /** The time limit of a part, in milliseconds. A stuck thread is replaced before this time. */
  readonly partTimeoutMs: number
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
