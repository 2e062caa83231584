import { types } from 'node:util'
import { describeThrown } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { LoadedPage, RenderMode, StreamOptions } from './app-module.ts'
import { checkHead, HTML, isBodiless } from './headers.ts'
import type { PageOutput } from './page-output.ts'
import type { PageChunk, PageFailure } from './protocol.ts'

/** The reason why the rendering of a page is aborted at its deadline. */
export class LateError extends Error {
  override name = 'LateError'
}

/** What is not sent yet. */
type NextChunk = { -readonly [Name in keyof PageChunk]?: PageChunk[Name] }

interface Thrown {
  readonly error: unknown
  readonly componentStack?: string | undefined
  readonly digest?: string | undefined
}

interface PageReportOptions extends Pick<LoadedPage, 'mode' | 'abort'> {
  readonly output: PageOutput
  readonly options: StreamOptions | undefined
}

/** What a page has to tell the main thread, until it is sent. It is the `page` that `load` changes. */
export class PageReport implements LoadedPage {
  status = 200
  readonly headers: LoadedPage['headers'] = {}
  readonly options: StreamOptions
  mode: RenderMode
  readonly abort: LoadedPage['abort']
  /** The time that the thread ran code of this page, in milliseconds. */
  runMs = 0
  /** Whether all was rendered, or never will be. */
  isReady = false
  /** Whether the head of the answer was sent. */
  hasBegun = false
  readonly #output: PageOutput
  readonly #startedAtMs = monotonicMs()
  #shellMs = Number.NaN
  #readyMs: number | undefined
  /** Whether the answer is a page, and not a response that `load` made. */
  #isPage = true
  #isSent = false
  #next: NextChunk = {}
  /** Errors that may still turn out to be that of the page. */
  #thrown: Thrown[] = []

  constructor({ output, options, mode, abort }: PageReportOptions) {
    this.#output = output
    this.options = { ...options }
    this.mode = mode
    this.abort = abort
  }

  note(value: unknown): boolean {
    if (this.#isSent) return false
    this.#next.notes ??= []
    ;(this.#next.notes as unknown[]).push(value)
    return true
  }

  hint(link: string | undefined): void {
    if (!link || this.#next.status !== undefined || this.hasBegun) return
    this.#next.hints = [...(this.#next.hints ?? []), link]
    this.#output.tell()
  }

  /** Notes an error of React, which may be that of a boundary or of the page. */
  noteThrown(thrown: Thrown): void {
    this.#thrown.push(thrown)
  }

  noteShell(): void {
    this.#shellMs = monotonicMs() - this.#startedAtMs
  }

  /** Notes that a response is sent in place of a page. */
  noteResponse(): void {
    this.#isPage = false
    this.noteShell()
  }

  /**
   * Settles the head: what is written from now on is the body of the answer.
   * @returns whether an answer with this status has a body
   * @throws TypeError if HTTP does not allow the head
   */
  noteHead(): boolean {
    const headers = checkHead(this.status, this.headers)
    const hasBody = !isBodiless(this.status)
    this.#next.status = this.status
    // The usual head is absent from a message.
    if (!this.#isPage) this.#next.isResponse = true
    if (!this.#isPage || !hasBody) this.#next.headers = headers
    else if (Object.keys(headers).length > 0) this.#next.headers = { 'content-type': HTML, ...headers }
    return hasBody
  }

  noteReady(): void {
    if (this.isReady) return
    this.isReady = true
    this.#readyMs = monotonicMs() - this.#startedAtMs
  }

  /** Notes that there is no page. Errors that boundaries had before are not reported. */
  fail(error: unknown): void {
    const thrown = this.#thrown.findLast(thrown => Object.is(thrown.error, error))
    this.#next.failure = failureOf(thrown ?? { error }, 'PAGE_LATE', 'RENDER_FAILED')
    this.#thrown = []
    this.noteReady()
  }

  /** Takes what was noted since the last time. */
  take(id: number, isLast: boolean): PageChunk {
    const chunk: NextChunk & Pick<PageChunk, 'id'> = { id, ...this.#next }
    if (chunk.status !== undefined) this.hasBegun = true
    if (this.#output.length > 0) chunk.html = this.#output.take()
    if (this.#thrown.length > 0)
      chunk.boundaryFailures = this.#thrown.map(each => failureOf(each, 'BOUNDARY_LATE', 'BOUNDARY_FAILED'))
    if (this.#readyMs !== undefined)
      chunk.times = [this.#startedAtMs, this.#shellMs, this.#readyMs, this.runMs]
    if (isLast) chunk.isLast = true
    this.#isSent = isLast
    this.#next = {}
    this.#thrown = []
    this.#readyMs = undefined
    return chunk
  }
}

/** What makes a page in another way than React's stream needs of it. */
export interface PageInMaking {
  /** Whether nothing more is rendered or written. */
  readonly isOver: boolean
  readonly report: PageReport
  readonly output: PageOutput
  /** Ends what makes the page, with a reason. */
  onAbort: ((reason: unknown) => void) | undefined
  /** Lets the page take longer than pages may. */
  clearTimer(): void
  end(): void
  fail(error: unknown): void
}

const failureOf = (
  { error, componentStack, digest }: Thrown,
  late: PageFailure['code'],
  failed: PageFailure['code'],
): PageFailure => ({
  code: types.isNativeError(error) && error instanceof LateError ? late : failed,
  error: describeThrown(error),
  componentStack,
  digest,
})
