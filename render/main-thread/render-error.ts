import { inspect } from 'node:util'
import { stackOf } from '../../lib/threads/thrown.ts'

/** The reasons why a page, or a boundary of it, was not rendered. */
const messages = {
  RENDER_FAILED: 'a component, `load` or a transform threw; see the cause',
  BOUNDARY_FAILED: 'a component threw after the shell; the page has the fallback of its boundary',
  PROPS_NOT_CLONEABLE: 'the props cannot be copied to a thread; see the cause',
  PAGE_LATE: 'the shell was not ready in time',
  BOUNDARY_LATE: 'a boundary was not ready in time; the page has its fallback',
  THREAD_DIED: 'its thread died, or was replaced because it made no progress; see the cause',
  PAGE_CUT: 'its thread died after the shell; boundaries that are missing have their fallback; see the cause',
  RENDERER_CLOSED: 'the renderer was closed before the page was made',
  CLIENT_GONE: 'nobody wants the page any more',
  BODY_TOO_LARGE: 'the body of the request is larger than `bodyLimitBytes`',
  BODY_NOT_READ: 'the body of the request did not come to its end',
  ANSWER_FAILED: 'the answer could not be written; see the cause',
} as const

/** The status of the answer for other codes is 500. */
const statuses: Partial<Record<RenderErrorCode, number>> = {
  PAGE_LATE: 504,
  RENDERER_CLOSED: 503,
  BODY_TOO_LARGE: 413,
  BODY_NOT_READ: 400,
}

/** What a client reads in place of a page. */
export const noPage = 'The page cannot be shown.\n'

export type RenderErrorCode = keyof typeof messages

export interface RenderErrorDetails {
  /** The status of the answer if there is no page. By default that of the code. */
  readonly statusCode?: number | undefined
  readonly cause?: unknown
  readonly componentStack?: string | undefined
  readonly digest?: string | undefined
  readonly causedBy?: string | undefined
}

/** An error of a page. `code` says which. Before the shell there is no page, and `statusCode` is for the answer. */
export class RenderError extends Error {
  override name = 'RenderError'
  readonly code: RenderErrorCode
  readonly statusCode: number
  /** The components in which it was thrown, the innermost first. */
  readonly componentStack: string | undefined
  /** What `onError` of the module returned, as the browser gets it. */
  readonly digest: string | undefined
  /** Of a thread that died: the URL of the page whose code ended it, also if that is another page. */
  readonly causedBy: string | undefined

  constructor(code: RenderErrorCode, details: RenderErrorDetails = {}) {
    const { statusCode, cause, componentStack, digest, causedBy } = details
    super(messages[code], { cause })
    this.code = code
    this.statusCode = statusCode ?? statuses[code] ?? 500
    this.componentStack = componentStack
    this.digest = digest
    this.causedBy = causedBy
    // Its own frames would say nothing. The answer of a framework in development shows the stack, and not the cause.
    this.stack = `${this.name}: ${this.message}${cause === undefined ? '' : `\ncaused by ${stackOf(cause)}`}`
  }

  /** The answer without a page: Hono asks an error for it. */
  getResponse(): Response {
    return new Response(noPage, { status: this.statusCode, headers: { 'content-type': 'text/plain' } })
  }
}

/** Emits a warning with the error, its stack and its components, for a service that gives no function for that. */
export function tellError(
  { name, code, message, cause, componentStack, causedBy }: RenderError,
  { url }: { readonly url: string },
): void {
  const detail = [
    cause !== undefined && inspect(cause),
    componentStack && `Components:${componentStack}`,
    causedBy !== undefined && causedBy !== url && `The thread was ended by the page ${causedBy}.`,
  ]
  process.emitWarning(`page ${url}: ${message}`, {
    type: name,
    code,
    detail: detail.filter(Boolean).join('\n'),
  })
}

/** Emits a warning with the error that ended a thread, if no page has it, because all of them are made again. */
export function tellOfThread(error: Error, causedBy: string | undefined): void {
  process.emitWarning(
    `a render thread ended${causedBy === undefined ? '' : ` by the page ${causedBy}`}; its pages are made again`,
    { type: 'RenderError', code: 'THREAD_DIED', detail: inspect(error) },
  )
}
