import { monotonicMs } from '../../../lib/units.ts'
import { PageBody } from '../../../render/main-thread/page-body.ts'
import { unpackParts } from '../../../render/packed-page.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import { isPart, type PagePart } from '../../../render/page-places.ts'
import { parts, typicalBytesOf } from '../../../render/parts.ts'
import type { DonePart, FailedPart, PagePieces, PartFailure, PartName } from '../../../render/protocol.ts'
import { type RequestContext, requestContext } from '../../context.ts'
import { Problem, type ProblemCode, toProblem } from '../../problems.ts'
import type { MadePage, PageMaking, PageTaker } from './contract.ts'
import { problemOf } from './outcome.ts'
import { noteFailedPart, type PageTools } from './page.ts'
import { placesOf } from './shell.ts'

/**
 * Passes on a page that render threads make. Its pieces come in page order, each of them with several places of the page
 * in one buffer. If the threads do not deliver the page in time, or die again and again, the missing parts are replaced
 * by their fallbacks here.
 *
 * @returns the bytes of the page, once no required part can fail any more and so the status is known: a buffer if all of
 * the page has come by then
 * @throws Problem of a required part
 */
export async function passPage(
  tools: PageTools,
  making: PageMaking,
  query: PageQuery,
  context: RequestContext,
): Promise<PageBody | Buffer> {
  const page = new PassedPage(tools, making, query, context)
  await page.required
  return page.bytes
}

class PassedPage implements PageTaker {
  readonly required: Promise<void>
  readonly #tools: PageTools
  readonly #query: PageQuery
  readonly #context: RequestContext
  readonly #made: MadePage
  readonly #timer: NodeJS.Timeout
  readonly #accept: () => void
  readonly #refuse: (problem: Problem) => void
  /** Memory that is reserved for parts that have not ended. */
  #reservedBytes: number
  /** The bytes of the page: a buffer if the first pieces were all of them. */
  #bytes: PageBody | Buffer | undefined
  /** The first place that has not come. */
  #next = 0
  #isOver = false

  constructor(tools: PageTools, making: PageMaking, query: PageQuery, context: RequestContext) {
    this.#tools = tools
    this.#query = query
    this.#context = context
    this.#reservedBytes = typicalBytesOf(query)
    tools.held.bytes += this.#reservedBytes
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.required = promise
    this.#accept = resolve
    this.#refuse = reject
    this.#timer = setTimeout(() => this.#expire(), tools.partTimeoutMs)
    const partDeadline = Math.min(context.deadline, monotonicMs() + tools.partTimeoutMs)
    this.#made = making.begin({ context, query, partDeadline, taker: this })
    this.#made.done.catch(error => this.#fallBack(() => toProblem(error)))
  }

  /** The bytes, once `required` has resolved. */
  get bytes(): PageBody | Buffer {
    return this.#bytes as PageBody | Buffer
  }

  get isOver(): boolean {
    return this.#isOver
  }

  take({ html, until, rendered, failed, isLast }: PagePieces): void {
    unpackParts(rendered, part => this.#record(part))
    for (const part of failed) this.#fail(part)
    if (this.#isOver) return
    if (html && isLast && !this.#bytes) this.#bytes = this.#holdWhole(html)
    else if (html && !this.#body.destroyed) {
      this.#next = until
      this.#body.hold(html)
      this.#body.push(html)
    }
    // The first pieces have all required parts.
    if (html) this.#accept()
    if (isLast && html) this.#finish()
    else if (isLast) this.#stop(new Problem('CLIENT_GONE'))
  }

  lose(place: number): void {
    const { name } = placesOf(this.#tools.shell, this.#query)[place] as PagePart
    this.#fail({ name, askedAtMs: monotonicMs(), failure: DIED })
  }

  #record({ name, askedAtMs, startedAtMs, runMs }: DonePart): void {
    this.#release(parts[name].typicalBytes)
    const times = { waitMs: startedAtMs - askedAtMs, runMs }
    this.#tools.rendering.recordPart(this.#context, name, askedAtMs, times)
  }

  #fail({ name, askedAtMs, failure }: FailedPart): void {
    this.#release(parts[name].typicalBytes)
    if (failure.kind === 'no data') {
      const { code, cause } = failure
      return this.#note(name, new Problem(code as ProblemCode, undefined, cause))
    }
    const problem = problemOf(failure)
    this.#tools.rendering.recordPart(this.#context, name, askedAtMs, problem)
    this.#note(name, problem)
  }

  #note(name: PartName, problem: Problem): void {
    if (this.#isOver) return
    if (parts[name].isRequired) this.#stop(problem)
    else if (!this.#context.gone) {
      // A message of a thread arrives outside of the request.
      requestContext.run(this.#context, noteFailedPart, this.#tools, name, problem)
    }
  }

  #expire(): void {
    this.#fallBack(name => {
      const isAwaited = this.#made.awaits(parts[name].source)
      return new Problem(isAwaited ? 'UPSTREAM_TIMEOUT' : 'DEADLINE_PASSED')
    })
    this.#made.abandon()
  }

  /** Ends the page without the threads. */
  #fallBack(problemFor: (name: PartName) => Problem): void {
    if (this.#context.gone) this.#stop(new Problem('CLIENT_GONE'))
    const { shell } = this.#tools
    for (const place of placesOf(shell, this.#query).slice(this.#next)) {
      if (isPart(place)) this.#note(place.name, problemFor(place.name))
      if (this.#isOver) return
      this.#body.push(isPart(place) ? shell.fallbacks[place.name] : place)
    }
    this.#finish()
  }

  /** Ends the page without its last parts. */
  #stop(problem: Problem): void {
    if (this.#bytes instanceof PageBody) this.#bytes.destroy()
    this.#finish()
    this.#refuse(problem)
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#release(this.#reservedBytes)
    if (this.#bytes instanceof PageBody && !this.#bytes.destroyed) this.#bytes.push(null)
  }

  /** The page as a stream. */
  get #body(): PageBody {
    this.#bytes ??= new PageBody(this.#tools.held).once('close', () => this.#leave())
    return this.#bytes as PageBody
  }

  /** Ends a page of which nobody reads more, as after HEAD. If the client has gone, the thread knows that already. */
  #leave(): void {
    if (this.#isOver || this.#context.gone) return
    this.#finish()
    this.#made.abandon()
  }

  /** Holds a page that is sent in one piece, until it is sent. Its memory is freed then, for the reason in {@link PageBody}. */
  #holdWhole({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
    const { held } = this.#tools
    const heldBytes = buffer.byteLength
    held.bytes += heldBytes
    this.#context.onEnd(() => {
      held.bytes -= heldBytes
      if (!this.#context.gone) buffer.transfer(0)
    })
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  #release(bytes: number): void {
    const released = Math.min(bytes, this.#reservedBytes)
    this.#reservedBytes -= released
    this.#tools.held.bytes -= released
  }
}

const DIED: PartFailure = { kind: 'failed', stack: 'the render thread died', componentStack: undefined }
