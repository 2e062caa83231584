import type { Failure, JobFailed, MessageEnd } from '../../lib/main-thread/job.ts'
import type { ThreadEnd } from '../../lib/main-thread/pooled-thread.ts'
import type { WaitingClient } from '../../lib/threads/envelope.ts'
import { describeThrown, type Thrown, toError } from '../../lib/threads/thrown.ts'
import { monotonicMs } from '../../lib/units.ts'
import { HTML } from '../headers.ts'
import { type PageChunk, type PageFailure, PageState } from '../protocol.ts'
import { explainProps } from './explain-props.ts'
import { callOf } from './page-call.ts'
import { RenderError, type RenderErrorCode, type RenderErrorDetails } from './render-error.ts'
import type { RenderWork, UnfinishedPage } from './render-thread.ts'
import type { OpenPage, PageRequest, PageSink, RendererOptions } from './renderer-types.ts'

export type PageSettings = Required<
  Pick<RendererOptions, 'shellTimeoutMs' | 'pageTimeoutMs' | 'windowBytes' | 'onError'>
> &
  Pick<RendererOptions, 'onPage'>

const DOCTYPE = Buffer.from('<!DOCTYPE')
/** The methods that RFC 9110 calls safe: a page is made again without a question. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const DOCUMENT_END = '</body></html>'
/** To look through all props costs as much as to send them, so a service in production does not. */
const isDevelopment = process.env.NODE_ENV !== 'production'
const done: MessageEnd<undefined> = { kind: 'replies', replies: [undefined] }

/** Where a page is made. */
export interface PagePlace {
  readonly thread: RenderWork
  readonly id: number
  readonly slot: number
}

/** A page on the main thread: it waits for a thread, is made in one, and goes to its sink. */
export class PageJob implements OpenPage, WaitingClient, UnfinishedPage, EventListenerObject {
  readonly deadline: number
  readonly #request: PageRequest
  readonly #pageDeadline: number
  readonly #sink: PageSink
  readonly #settings: PageSettings
  readonly #askedAtMs = monotonicMs()
  #onGone: (() => void) | undefined
  #place: PagePlace | undefined
  #settle: ((outcome: MessageEnd<undefined>) => void) | undefined
  #status = 0
  #isDocument = false
  /** The answer is a response that `load` has made, and not a page. */
  #isResponse = false
  #failedBoundaries = 0
  /** Number of threads that died while they ran code of this page. */
  #runningDeaths = 0
  /** Why the last thread of this page ended. */
  #loss: RenderErrorDetails | undefined
  #unacknowledgedBytes = 0
  /** Nothing more goes to the sink. */
  #isOver = false
  gone = false

  constructor(request: PageRequest, sink: PageSink, settings: PageSettings) {
    this.#request = request
    this.#sink = sink
    this.#settings = settings
    this.deadline = request.shellDeadline ?? this.#askedAtMs + settings.shellTimeoutMs
    this.#pageDeadline = request.pageDeadline ?? this.#askedAtMs + settings.pageTimeoutMs
  }

  /** Follows the signals of the request. */
  listen(): void {
    if (this.#isOver) return
    const { signal, abort } = this.#request
    for (const each of [signal, abort])
      if (each?.aborted) queueMicrotask(() => this.handleEvent())
      else each?.addEventListener('abort', this)
  }

  /** A signal of the request was aborted. */
  handleEvent(): void {
    const { signal, abort } = this.#request
    if (signal?.aborted) this.abort()
    else if (abort?.aborted) this.endRendering(abort.reason)
  }

  onGone(listener: () => void): () => void {
    this.#onGone = listener
    return () => {
      this.#onGone = undefined
    }
  }

  /** Sends the page to a thread. @returns the outcome as the queue needs it, once all was rendered */
  dispatch(place: PagePlace): Promise<MessageEnd<undefined>> {
    const { abort } = this.#request
    // Only a thread that has died may have been told so.
    if (abort?.aborted) this.endRendering(abort.reason)
    if (this.#isOver) return Promise.resolve(done)
    const unclonable = isDevelopment && explainProps(this.#request.props ?? {})
    if (unclonable) {
      this.refuse(unclonable)
      return Promise.resolve(done)
    }
    this.#place = place
    const { thread, id, slot } = place
    const deadlines = { shellDeadline: this.deadline, pageDeadline: this.#pageDeadline }
    const call = callOf(this.#request, thread.readsRequest, deadlines)
    thread.open({ kind: 'render', id, slot, call }, this)
    for (const name of call.late) void this.#sendLate(name, place)
    return new Promise(resolve => {
      this.#settle = resolve
    })
  }

  take(chunk: PageChunk): void {
    if (chunk.isLast) this.#place = undefined
    if (chunk.times || chunk.isLast) this.#answerQueue(done)
    try {
      // What ended because the client left is told after that.
      if (chunk.notes) this.#sink.notes?.(chunk.notes)
      if (chunk.hints && !this.#isOver) this.#sink.hints?.(chunk.hints)
      if (!this.#isOver) this.#pass(chunk)
      if (chunk.times) this.#finish(chunk.times)
    } catch (error) {
      this.#abandon(error)
    }
  }

  get url(): string {
    return this.#request.url
  }

  /**
   * The thread has died. Before the shell another one makes the page, unless this page seems to be the cause, or may not
   * be made twice. A page whose code ran may have been killed from outside, so it gets a second thread, but no third.
   */
  lose({ timedOut, why, error }: ThreadEnd, culprit: UnfinishedPage | undefined): boolean {
    const { state, mayRepeat } = this
    this.#place = undefined
    if (this.#isOver) {
      this.#answerQueue(done)
      return false
    }
    this.#loss = { cause: error ?? why, causedBy: culprit?.url }
    if (this.#status !== 0) {
      this.#cut()
      return true
    }
    const isCause = culprit === this || (state === PageState.runs && ++this.#runningDeaths > 1)
    if (!isCause && mayRepeat) {
      this.#answerQueue({ kind: 'lost', started: 0, timedOut, why })
      return false
    }
    this.#answerQueue(done)
    this.#fail(new RenderError('THREAD_DIED', this.#loss))
    return true
  }

  get state(): PageState {
    return this.#place?.thread.stateIn(this.#place.slot) ?? PageState.notBegun
  }

  /** Whether another thread may make the page although this one has begun it. */
  get mayRepeat(): boolean {
    return (
      this.state === PageState.notBegun ||
      this.#place?.thread.repeatable === true ||
      SAFE.has(this.#request.method?.toUpperCase() ?? 'GET')
    )
  }

  get canMove(): boolean {
    return !this.#isOver && this.#status === 0 && this.state !== PageState.runs && this.mayRepeat
  }

  move(): void {
    this.#place = undefined
    this.#answerQueue({ kind: 'lost', started: 0, why: 'its thread was busy for long' })
  }

  refuse(error: Error): void {
    this.#place = undefined
    this.#answerQueue(done)
    const cause = explainProps(this.#request.props ?? {}) ?? error
    this.#fail(new RenderError('PROPS_NOT_CLONEABLE', { cause }))
  }

  /** The queue has given up the page. */
  giveUp({ failure, message }: JobFailed): void {
    if (failure === 'client gone') return
    const code = failed[failure]
    this.#fail(new RenderError(code, this.#loss ?? { cause: message }))
  }

  consumed(bytes: number): void {
    this.#unacknowledgedBytes += bytes
    if (!this.#place || this.#unacknowledgedBytes < this.#settings.windowBytes / 2) return
    const { thread, id } = this.#place
    thread.send({ kind: 'credit', id, bytes: this.#unacknowledgedBytes })
    this.#unacknowledgedBytes = 0
  }

  /** Nobody wants what is not ready. */
  endRendering(reason: unknown): void {
    if (this.#isOver) return
    if (this.#place)
      this.#place.thread.send({ kind: 'abort', id: this.#place.id, reason: describeThrown(reason) })
    else this.#fail(new RenderError('RENDER_FAILED', { cause: reason }))
  }

  /** The signal of the page was aborted. */
  abort(): void {
    if (this.#isOver) return
    this.leave()
    this.#tellFailure(new RenderError('CLIENT_GONE'))
  }

  leave(): void {
    if (this.#isOver) return
    this.#end()
    this.gone = true
    this.#onGone?.()
    this.#place?.thread.send({ kind: 'leave', id: this.#place.id })
  }

  async #sendLate(name: string, place: PagePlace): Promise<void> {
    const { thread, id } = place
    try {
      const value = await this.#request.props?.[name]
      const unclonableLate = isDevelopment && explainProps({ [name]: value })
      if (unclonableLate) throw unclonableLate
      if (this.#place === place) thread.send({ kind: 'value', id, name, value })
    } catch (error) {
      if (this.#place === place) thread.send({ kind: 'rejection', id, name, error: describeThrown(error) })
    }
  }

  #pass({ status, headers, isResponse, html, failure, boundaryFailures, isLast }: PageChunk): void {
    if (boundaryFailures) for (const each of boundaryFailures) this.#miss(errorOf(each))
    this.#failedBoundaries += boundaryFailures?.length ?? 0
    if (failure) return this.#fail(errorOf(failure))
    if (status !== undefined) {
      this.#status = status
      this.#isResponse = isResponse === true
      this.#isDocument = html !== undefined && DOCTYPE.equals(html.subarray(0, DOCTYPE.length))
      this.#sink.start({ status, headers: headers ?? { 'content-type': HTML } })
      if (this.#isOver) return
    }
    if (html || isLast || status !== undefined) this.#sink.chunk(html ?? new Uint8Array(0), isLast === true)
    if (isLast) this.#end()
  }

  #fail(error: RenderError): void {
    if (this.#isOver) return
    this.#end()
    this.#status = error.statusCode
    this.#settings.onError(error, this.#request)
    this.#tellFailure(error)
  }

  /** The sink has thrown. */
  #abandon(cause: unknown): void {
    const error = new RenderError('ANSWER_FAILED', { cause })
    this.#settings.onError(error, this.#request)
    if (this.#isOver) return
    this.leave()
    this.#tellFailure(error)
  }

  /** Signals may live longer than the page. */
  #end(): void {
    this.#isOver = true
    this.#request.signal?.removeEventListener('abort', this)
    this.#request.abort?.removeEventListener('abort', this)
  }

  #tellFailure(error: RenderError): void {
    try {
      this.#sink.fail(error)
    } catch (cause) {
      this.#settings.onError(new RenderError('ANSWER_FAILED', { cause }), this.#request)
    }
  }

  #miss(error: RenderError): void {
    this.#settings.onError(error, this.#request)
    this.#sink.missing?.(error)
  }

  /** Ends a page after its shell. React in the browser renders the boundaries that are missing once the document has ended. */
  #cut(): void {
    this.#answerQueue(done)
    if (this.#isResponse) return this.#fail(new RenderError('PAGE_CUT', this.#loss))
    try {
      this.#miss(new RenderError('PAGE_CUT', this.#loss))
      this.#sink.chunk(new TextEncoder().encode(this.#isDocument ? DOCUMENT_END : ''), true)
      this.#end()
    } catch (error) {
      this.#abandon(error)
    }
  }

  #finish([startedAtMs, shellMs, readyMs, runMs]: NonNullable<PageChunk['times']>): void {
    const times = {
      askedAtMs: this.#askedAtMs,
      startedAtMs,
      shellMs,
      readyMs,
      runMs,
      status: this.#status,
      failedBoundaries: this.#failedBoundaries,
    }
    this.#settings.onPage?.(times, this.#request)
    this.#sink.rendered?.(times)
  }

  #answerQueue(outcome: MessageEnd<undefined>): void {
    this.#settle?.(outcome)
    this.#settle = undefined
  }
}

const failed: Readonly<Record<Exclude<Failure, 'client gone'>, RenderErrorCode>> = {
  'deadline passed': 'PAGE_LATE',
  died: 'THREAD_DIED',
  'not sent': 'THREAD_DIED',
  'timed out': 'THREAD_DIED',
  closed: 'RENDERER_CLOSED',
}

const errorOf = ({ code, error, componentStack, digest }: PageFailure): RenderError =>
  new RenderError(code, { statusCode: statusOf(error), cause: toError(error), componentStack, digest })

/** The status that an error asks for, as libraries for HTTP have it. */
const statusOf = ({ fields }: Thrown): number | undefined =>
  [fields?.statusCode, fields?.status]
    .filter(status => Number.isInteger(status))
    .map(Number)
    .find(status => status >= 400 && status < 600)
