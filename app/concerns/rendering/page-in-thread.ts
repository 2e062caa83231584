import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { Hang } from '../../../lib/threads/hang.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { RenderError } from '../../../render/main-thread/render-error.ts'
import type {
  OpenPage,
  PageSink,
  PageTimes,
  Renderer,
  PageRequest as RenderRequest,
} from '../../../render/main-thread/renderer-types.ts'
import type { Answer } from '../../answer.ts'
import type { CallSpan } from '../../call-span.ts'
import { partWith, problemOfComponent } from '../../pages/component-error.ts'
import { type PageNote, readNote } from '../../pages/page-notes.ts'
import type { SourceName } from '../../pages/sources.ts'
import { GRACE_MS } from '../../pages/within.ts'
import { Problem } from '../../problems.ts'
import type { PageRequest } from './contract.ts'
import { ThreadBody, wholeBody } from './thread-body.ts'

type Calls = Readonly<Record<SourceName, CallSpan>>

/** The functions that the renderer calls for each of its pages, those of faults included. */
export interface Noted extends RenderRequest {
  noteError(error: RenderError): void
  noteTimes(times: PageTimes): void
}

/** A page that a render thread makes, as the main thread sees it. */
export class PageInThread implements Noted, PageSink {
  readonly url = '/page'
  readonly props: RenderRequest['props']
  readonly nonce: string
  readonly shellDeadline: number
  readonly pageDeadline: number
  readonly #request: PageRequest
  readonly #calls: Calls | undefined
  readonly #body = Promise.withResolvers<Answer['body']>()
  #page: OpenPage | undefined
  #stream: ThreadBody | undefined
  #problem: Problem | undefined
  #hasEnded = false

  /** @param calls the upstream calls of the thread; absent if it makes none */
  constructor(request: PageRequest, props: object, calls?: Calls) {
    this.props = props as RenderRequest['props']
    this.nonce = request.nonce
    this.shellDeadline = request.deadline + GRACE_MS
    this.pageDeadline = this.shellDeadline
    this.#request = request
    this.#calls = calls
  }

  /** Occupies a thread for a while. The page of faults obeys the prop `hang`. */
  static async hang(renderer: Renderer, order: Hang): Promise<void> {
    const page = {
      url: '/hang',
      props: { hang: order },
      shellDeadline: monotonicMs() + order.forMs + GRACE_MS,
      noteError() {},
      noteTimes() {},
    } satisfies Noted
    await new Promise<void>(resolve => {
      renderer.open(page, { start() {}, chunk() {}, fail: () => resolve() })
    })
  }

  /** @throws Problem when there is no page */
  begin(renderer: Renderer): Promise<Answer['body']> {
    const { context } = this.#request
    this.#page = renderer.open(this, this)
    if (context.gone) this.#leave()
    else context.onGone(() => this.#leave())
    return this.#body.promise
  }

  /** All pages have the same head. */
  start(): void {}

  chunk(chunk: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    if (isLast) this.#abandonCalls()
    if (isLast && !this.#stream) return this.#body.resolve(wholeBody(chunk, this.#request.context))
    this.#stream ??= this.#begun()
    this.#stream.add(chunk, isLast)
  }

  fail(error: RenderError): void {
    // A page that is late cancels its calls, which fails them too.
    this.#refuse((error.code === 'RENDER_FAILED' && this.#problem) || problemOf(error))
  }

  notes(notes: readonly unknown[]): void {
    for (const note of notes)
      readNote(note as PageNote, {
        called: (source: SourceName, times: CallTimes) => this.#calls?.[source].end(times),
        missing: problem => this.#request.onMissing('recommendations', problem),
        failed: problem => {
          this.#problem = problem
        },
      })
  }

  /** Notes a part that the page lacks. An error of the whole page comes to `fail`. */
  noteError(error: RenderError): void {
    if (!isOfPart(error)) return
    this.#request.onMissing(partWith(error.componentStack), problemOf(error))
  }

  /** The times of a page without a shell are not of interest: it comes to `fail`. */
  noteTimes({ askedAtMs, startedAtMs, shellMs, runMs }: PageTimes): void {
    if (!Number.isNaN(shellMs)) this.#end({ waitMs: startedAtMs - askedAtMs, runMs })
  }

  #begun(): ThreadBody {
    const stream = new ThreadBody(this.#page as OpenPage)
    this.#body.resolve(stream)
    return stream
  }

  #leave(): void {
    this.#page?.leave()
    this.#refuse(new Problem('CLIENT_GONE'))
  }

  #refuse(problem: Problem): void {
    this.#body.reject(problem)
    this.#abandonCalls()
    this.#end(problem)
  }

  #end(outcome: Parameters<PageRequest['onEnd']>[0]): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#request.onEnd(outcome)
  }

  #abandonCalls(): void {
    const { deadline } = this.#request.context
    this.#calls?.orders.abandon(deadline)
    this.#calls?.recommendations.abandon(deadline)
  }
}

/** Whether an error is that of a part of a page, and not of the page. */
const isOfPart = ({ code }: RenderError): boolean =>
  code === 'BOUNDARY_FAILED' || code === 'BOUNDARY_LATE' || code === 'PAGE_CUT'

function problemOf({ code, message, cause, componentStack }: RenderError): Problem {
  if (code === 'RENDER_FAILED' || code === 'BOUNDARY_FAILED') return problemOfComponent(cause, componentStack)
  return new Problem(codes[code], undefined, cause ?? message)
}

const codes = {
  PROPS_NOT_CLONEABLE: 'INTERNAL_ERROR',
  PAGE_LATE: 'ANSWER_LATE',
  BOUNDARY_LATE: 'DEADLINE_PASSED',
  THREAD_DIED: 'PART_FAILED',
  PAGE_CUT: 'PART_FAILED',
  CLIENT_GONE: 'CLIENT_GONE',
} as const
