import { types } from 'node:util'
import { describeThrown } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { LoadedPage, RenderMode, StreamOptions } from './app-module.ts'
import { checkHead, isBodiless } from './page-head.ts'
import type { PageOutput } from './page-output.ts'
import type { PageChunk, PageFailure } from './protocol.ts'

const HTML = 'text/html; charset=utf-8'

/** The reason why the rendering of a page is aborted at its deadline. */
export class LateError extends Error {
  override name = 'LateError'
}

/** Status and headers, which are sent once. */
type Head = { -readonly [Name in 'status' | 'headers' | 'isResponse']?: PageChunk[Name] }

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
  readonly #output: PageOutput
  readonly #startedAtMs = monotonicMs()
  #shellMs = Number.NaN
  #readyMs: number | undefined
  #wasReady = false
  #head: Head | undefined
  /** Whether the answer is a page, and not a response that `load` made. */
  #isPage = true
  #hasBegun = false
  #isSent = false
  #failure: PageFailure | undefined
  #thrown: Thrown[] = []
  #notes: unknown[] = []
  #hints: string[] = []

  constructor({ output, options, mode, abort }: PageReportOptions) {
    this.#output = output
    this.options = { ...options }
    this.mode = mode
    this.abort = abort
  }

  /** Whether all was rendered, or never will be. */
  get isReady(): boolean {
    return this.#wasReady
  }

  /** Whether the head of the answer was sent. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  note(value: unknown): boolean {
    if (!this.#isSent) this.#notes.push(value)
    return !this.#isSent
  }

  hint(link: string | undefined): void {
    if (!link || this.#head || this.#hasBegun) return
    this.#hints.push(link)
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
    const isHtml = this.#isPage && hasBody
    this.#head = { status: this.status }
    // The usual head is absent from a message.
    if (!this.#isPage) this.#head.isResponse = true
    if (!isHtml) this.#head.headers = headers
    else for (const _ in headers) this.#head.headers ??= { 'content-type': HTML, ...headers }
    return hasBody
  }

  noteReady(): void {
    if (this.#wasReady) return
    this.#wasReady = true
    this.#readyMs = monotonicMs() - this.#startedAtMs
  }

  /** Notes that there is no page. Errors that boundaries had before are not reported. */
  fail(error: unknown): void {
    const thrown = this.#thrown.findLast(thrown => Object.is(thrown.error, error))
    this.#failure = failureOf(thrown ?? { error }, 'PAGE_LATE', 'RENDER_FAILED')
    this.#thrown = []
    this.noteReady()
  }

  /** Takes what was noted since the last time. */
  take(id: number, isLast: boolean): PageChunk {
    const chunk: { -readonly [Name in keyof PageChunk]: PageChunk[Name] } = { id }
    if (this.#head) this.#hasBegun = true
    Object.assign(chunk, this.#head)
    if (this.#output.length > 0) chunk.html = this.#output.take()
    if (this.#failure) chunk.failure = this.#failure
    if (this.#thrown.length > 0)
      chunk.boundaryFailures = this.#thrown.map(each => failureOf(each, 'BOUNDARY_LATE', 'BOUNDARY_FAILED'))
    if (this.#notes.length > 0) chunk.notes = this.#notes
    if (this.#hints.length > 0) chunk.hints = this.#hints
    if (this.#readyMs !== undefined)
      chunk.times = [this.#startedAtMs, this.#shellMs, this.#readyMs, this.runMs]
    if (isLast) chunk.isLast = true
    this.#isSent = isLast
    this.#head = undefined
    this.#thrown = []
    this.#notes = []
    this.#hints = []
    this.#readyMs = undefined
    return chunk
  }
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
