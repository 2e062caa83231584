import type { MediaType } from '../../../orders/order.ts'
import type { PageData, PageRequest } from '../../pages/page-data.ts'
import type { Answer } from '../../route.ts'
import type { Operated } from '../../server/operated.ts'

/** Renders the page, which is one tree of React. The document is the same wherever it is rendered. */
export interface Rendering {
  /**
   * Renders a page. Resolves when its shell is ready, and so the status is known.
   * @throws Problem PART_FAILED when a component of the shell throws or render threads die again and again, UPSTREAM_* when
   * there are no orders, DEADLINE_PASSED when the page did not begin in time, CLIENT_GONE when the client left before
   */
  render(page: PageRequest): Promise<Answer['body']>
  readonly operated?: Operated
  /** Ends the threads of this implementation. */
  close(): Promise<void>
}

export interface RenderingOptions {
  /** The time limit of a page, in milliseconds. A stuck thread is replaced before this time. */
  readonly partTimeoutMs: number
  /** The media type of the data. */
  readonly upstreamType: MediaType
  /** Begins both calls for a page. */
  fetchPage(request: PageRequest): PageData
  /** The page; only tests have another one. */
  readonly page?: typeof import('../../pages/page.ts')
}

export type CreateRendering<Options = RenderingOptions> = (options: Options) => Promise<Rendering>
