import type { PipeableStream } from 'react-dom/server'
import { isThenable } from '../lib/threads/thrown.ts'
import { monotonicMs, msUntil } from '../lib/units.ts'
import type { LoadedModule, ReactServer } from './app-module.ts'
import { keepContext, type Reenter, runFor, type WorkOwner } from './attribute-work.ts'
import { PageOutput } from './page-output.ts'
import { LateError, type PageInMaking, PageReport } from './page-report.ts'
import { isResponse, passResponse } from './pass-response.ts'
import { pipeTransformed } from './pipe-transformed.ts'
import { type PageCall, type PageChunk, PageState } from './protocol.ts'
import { renderString } from './render-string.ts'
import { ThreadRequest } from './thread-request.ts'

type ReactElement = ReturnType<ReactServer['createElement']>

/** What a page needs of its thread. */
export interface PageThread {
  readonly module: LoadedModule
  readonly windowBytes: number
  /** Sends what the page has to send, with that of other pages. */
  onDirty(page: MadePage): void
  /** Calls `render` of the page in its turn. */
  onLoaded(page: MadePage): void
  /** Notes the state of the page in this slot. */
  mark(slot: number, state: PageState): void
}

/** A page that a render thread makes. */
export class MadePage implements WorkOwner, PageInMaking {
  readonly id: number
  /** Undefined when all was rendered: another page may then have the slot. */
  #slot: number | undefined
  readonly #call: PageCall
  readonly #thread: PageThread
  readonly request: ThreadRequest
  readonly output: PageOutput
  readonly report: PageReport
  #props: object = {}
  onAbort: ((reason: unknown) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  /** Enters the asynchronous context in which the props of the page were made. */
  #reenter: Reenter = work => runFor(this, work)
  #hasBegun = false
  #isRunning = false
  /** Whether its props are there, and it is not rendered yet. */
  #isDue = false
  /** Whether nothing more is rendered or written. */
  #isOver = false

  constructor(id: number, slot: number, call: PageCall, thread: PageThread) {
    this.id = id
    this.#slot = slot
    this.#call = call
    this.#thread = thread
    this.request = new ThreadRequest(call)
    this.output = new PageOutput(thread.windowBytes, () => thread.onDirty(this))
    this.report = new PageReport({
      output: this.output,
      options: thread.module.options,
      mode: call.mode,
      abort: reason => this.abort(reason),
    })
  }

  /** Whether all was rendered and written, or never will be. */
  get isOver(): boolean {
    return this.#isOver || this.output.isEnded
  }

  /** Runs work of this page. If it ends the thread, the mark stays. */
  run(work: () => void): void {
    const slot = this.#slot
    if (this.#isRunning || slot === undefined) return work()
    const startedAtMs = monotonicMs()
    this.#isRunning = true
    this.#thread.mark(slot, PageState.runs)
    work()
    this.#isRunning = false
    this.#thread.mark(slot, this.#isDue ? PageState.isDue : PageState.waits)
    this.report.runMs += monotonicMs() - startedAtMs
  }

  /** Runs work of this page in its own asynchronous context, wherever it is called. */
  enter(work: () => void): void {
    this.#reenter(() => this.run(work))
  }

  /** Begins the page. The thread renders it when its data is there. */
  begin(): void {
    this.#abortAt(this.#call.shellDeadline)
    const { around } = this.#thread.module
    if (!around) return this.#load()
    try {
      const result = around(this.request, () => this.#load())
      if (isThenable(result)) result.then(undefined, error => this.#failLoad(error))
    } catch (error) {
      this.#failLoad(error)
    }
  }

  #load(): void {
    if (this.#hasBegun || this.#isOver) return
    this.#hasBegun = true
    const { load } = this.#thread.module
    try {
      const loaded = load ? load(this.request, this.report) : this.request.props
      // Data that is there at once is rendered before other pages begin.
      if (isThenable(loaded)) void this.#await(loaded)
      else this.#take(loaded)
    } catch (error) {
      this.#failLoad(error)
    }
  }

  render(): void {
    this.#isDue = false
    if (this.#isOver) return
    const { react, componentNamed } = this.#thread.module
    try {
      const element = react.createElement(componentNamed(this.#call.component) as never, this.#props)
      this.#props = {}
      if (this.report.mode === 'string') return renderString(react, element, this)
      this.#stream(react, element)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Before the shell there is no page then; afterwards the boundaries that are missing show their fallback. */
  abort(reason: unknown): void {
    if (this.isOver) return
    this.request.abort(reason)
    this.onAbort?.(reason)
    // React has nothing to abort before it has begun, or after it has written all to a transform that does not end.
    if (!this.onAbort || (this.report.isReady && this.report.options.transform)) this.fail(reason)
  }

  /** Ends the work, because nobody wants the page. */
  leave(): void {
    const reason = new Error('the client has left')
    this.report.noteReady()
    this.end()
    this.request.abort(reason)
    this.onAbort?.(reason)
  }

  /** Takes what is to be sent now. */
  take(): PageChunk {
    const chunk = this.report.take(this.id, this.isOver)
    if (chunk.times && this.#slot !== undefined) {
      this.#thread.mark(this.#slot, PageState.notBegun)
      this.#slot = undefined
    }
    return chunk
  }

  async #await(loading: object): Promise<void> {
    try {
      this.#take((await loading) as object)
    } catch (error) {
      this.#failLoad(error)
    }
  }

  #failLoad(error: unknown): void {
    if (isResponse(error)) return void passResponse(error, this)
    this.fail(error)
  }

  /** Takes what `load` returned, or what its promise became. */
  #take(loaded: object): void {
    if (isResponse(loaded)) return void passResponse(loaded, this)
    if (this.#isOver) return
    this.#props = loaded
    this.#reenter = keepContext(this)
    this.#isDue = true
    if (!this.#isRunning && this.#slot !== undefined) this.#thread.mark(this.#slot, PageState.isDue)
    this.#thread.onLoaded(this)
  }

  #stream(react: ReactServer, element: ReactElement): void {
    const { nonce } = this.#call
    const report = this.report
    const { mode } = report
    if (mode !== 'stream' && mode !== 'static')
      throw new TypeError(`the mode of a page is stream, static or string, not ${mode}`)
    const { transform, onError, ...options } = report.options
    const pipe = () => {
      if (!this.#beginBody(stream)) return
      if (transform) return pipeTransformed(() => transform(stream), this)
      stream.pipe(this.output as unknown as NodeJS.WritableStream)
    }
    const stream = react.renderToPipeableStream(element, {
      ...options,
      nonce: nonce ?? options.nonce,
      onShellReady: () => {
        if (this.#isOver) return
        report.noteShell()
        this.#abortAt(this.#call.pageDeadline)
        if (mode === 'stream') pipe()
      },
      onAllReady: () => {
        if (this.#isOver) return
        // A transform may have more to write, or may never end.
        if (!transform) this.clearTimer()
        report.noteReady()
        if (mode === 'static') pipe()
        this.#thread.onDirty(this)
      },
      onShellError: error => this.fail(error),
      onError: (error, info) => {
        if (this.#isOver) return
        const digest = digestOf(() => onError?.(error, info))
        report.noteThrown({ error, componentStack: info.componentStack, digest })
        return digest
      },
    })
    this.onAbort = stream.abort
  }

  /** Sends the head, and ends the page if it has no body, or a head that HTTP does not allow. @returns whether it has a body */
  #beginBody({ abort }: PipeableStream): boolean {
    try {
      if (this.report.noteHead()) return true
      this.report.noteReady()
      this.end()
    } catch (error) {
      this.fail(error)
    }
    abort()
    return false
  }

  /** Lets the page take longer than pages may. */
  clearTimer(): void {
    clearTimeout(this.#timer)
  }

  /** @param deadline milliseconds by the monotonic clock; it replaces the one before */
  #abortAt(deadline: number): void {
    this.clearTimer()
    const late = () => this.abort(new LateError('the page was not ready at its deadline'))
    this.#timer = setTimeout(late, msUntil(deadline))
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    if (this.report.hasBegun) this.report.noteThrown({ error })
    else this.report.fail(error)
    this.end()
  }

  end(): void {
    this.#isOver = true
    this.clearTimer()
    this.#thread.onDirty(this)
  }
}

/** What the module says of an error. If it throws, it says nothing: the error itself is reported in any case. */
function digestOf(ask: () => unknown): string | undefined {
  try {
    const digest = ask()
    return typeof digest === 'string' ? digest : undefined
  } catch {
    return undefined
  }
}
