import type { MediaType } from '../../../orders/order.ts'
import { RenderError, type RenderErrorCode } from '../../../render/main-thread/render-error.ts'
import { type PageData, type PageRequest, problemOfComponent } from '../../pages/page-data.ts'
import { Problem, type ProblemCode } from '../../problems.ts'
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
  close(): Promise<void>
}

export interface RenderingOptions {
  /** The time limit of a page, in milliseconds. A stuck thread is replaced before this time. */
  readonly partTimeoutMs: number
  readonly upstreamType: MediaType
  fetchPage(request: PageRequest): PageData
  /** The page; only tests have another one. */
  readonly page?: typeof import('../../pages/page.ts')
}

export type CreateRendering<Options = RenderingOptions> = (options: Options) => Promise<Rendering>

/** The problem of an error of a render thread. Any other error is itself. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof RenderError)) return error
  const { code, message, cause, componentStack } = error
  if (code === 'RENDER_FAILED' || code === 'BOUNDARY_FAILED') return problemOfComponent(cause, componentStack)
  return new Problem(codes[code] ?? 'INTERNAL_ERROR', undefined, cause ?? message)
}

const codes: Partial<Record<RenderErrorCode, ProblemCode>> = {
  PAGE_LATE: 'ANSWER_LATE',
  BOUNDARY_LATE: 'DEADLINE_PASSED',
  THREAD_DIED: 'PART_FAILED',
  PAGE_CUT: 'PART_FAILED',
  CLIENT_GONE: 'CLIENT_GONE',
  RENDERER_CLOSED: 'NOT_READY',
}
