import type { PartCall } from '../../../render/protocol.ts'
import type { RequestContext } from '../../context.ts'
import type { Lane } from '../../overload/lane.ts'
import type { PoolReading } from '../../pool.ts'
import type { WorkTimes } from '../apm/contract.ts'

/** Renders the parts of a page; the same HTML wherever that is done. */
export interface Rendering {
  /**
   * Renders one part. Calls with the same `input` share what can be shared.
   * @throws Problem PART_FAILED when a component throws or what renders dies, UPSTREAM_FAILED when its data is bad,
   * DEADLINE_PASSED when the part was not begun by the deadline of its envelope, CLIENT_GONE when the client left before
   */
  render(context: RequestContext, call: PartCall): Promise<RenderedPart>
  /** Where parts wait. */
  readonly lane: Lane
  /** The pool as it is now; undefined where there is none. */
  readPool(): Promise<PoolReading | undefined>
  /** Kills one of its threads, whatever it does: for fault switches. Absent where it has none. */
  kill?(): void
  /** Ends what it started. */
  close(): Promise<void>
}

export interface RenderedPart extends WorkTimes {
  /** UTF-8 */
  readonly html: Uint8Array
}

export interface RenderingOptions {
  /** How many threads. */
  readonly threads: number
  /** Their nice value, 0 to 19; threads have one of their own only on Linux. */
  readonly workerPriority: number
  /** How large the heap of a thread may become; it is replaced then. */
  readonly workerMemoryMib: number
  /** The file that exports `render`, `stream` and `explain`: `renderer.ts`, or a test's. */
  readonly rendererFile: string
  /** How long a part may take; a thread that is stuck is replaced before that. */
  readonly partTimeoutMs: number
}

export type CreateRendering = (options: RenderingOptions) => Promise<Rendering>
