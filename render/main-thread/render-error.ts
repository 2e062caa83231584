/** The reasons why a page, or a boundary of it, was not rendered. */
const messages = {
  RENDER_FAILED: 'a component or `load` threw; see the cause',
  BOUNDARY_FAILED: 'a component threw after the shell; the page has the fallback of its boundary',
  PROPS_NOT_CLONEABLE: 'the props cannot be copied to a thread; see the cause',
  PAGE_LATE: 'the shell was not ready in time',
  BOUNDARY_LATE: 'a boundary was not ready in time; the page has its fallback',
  THREAD_DIED: 'its thread died, or was replaced because it made no progress',
  PAGE_CUT: 'its thread died after the shell; boundaries that are missing have their fallback',
  CLIENT_GONE: 'nobody wants the page any more',
  ANSWER_FAILED: 'the answer could not be written; see the cause',
} as const

export type RenderErrorCode = keyof typeof messages

interface RenderErrorDetails {
  /** The status of the answer if there is no page. By default 504 for a page that is late, or else 500. */
  readonly statusCode?: number | undefined
  readonly cause?: unknown
  readonly componentStack?: string | undefined
}

/** An error of a page. `code` says which. Before the shell there is no page, and `statusCode` is for the answer. */
export class RenderError extends Error {
  override name = 'RenderError'
  readonly code: RenderErrorCode
  readonly statusCode: number
  /** The components in which it was thrown, the innermost first. */
  readonly componentStack: string | undefined

  constructor(code: RenderErrorCode, { statusCode, cause, componentStack }: RenderErrorDetails = {}) {
    super(messages[code], { cause })
    this.code = code
    this.statusCode = statusCode ?? (code === 'PAGE_LATE' ? 504 : 500)
    this.componentStack = componentStack
  }
}
