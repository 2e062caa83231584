import { monotonicMs } from '../../../lib/units.ts'
import type { HeldBytes } from '../../../render/main-thread/page-body.ts'
import { PageStream } from '../../../render/main-thread/page-stream.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import type { PagePart } from '../../../render/page-places.ts'
import { parts } from '../../../render/parts.ts'
import type { PageInput, PartName, SourceName } from '../../../render/protocol.ts'
import type { RequestContext } from '../../context.ts'
import { describeCause, Problem, toProblem } from '../../problems.ts'
import type { Logger } from '../logging/contract.ts'
import type { Caller } from '../upstream/contract.ts'
import type { FallbackCounts } from './fallback-counts.ts'
import type { InstrumentedRendering } from './instrumented.ts'
import { placesOf, type Shell } from './shell.ts'

/** The tools that all pages share. */
export interface PageTools {
  readonly rendering: InstrumentedRendering
  readonly shell: Shell
  readonly logger: Logger
  readonly fallbackCounts: FallbackCounts
  readonly held: HeldBytes
  /** The time limit of a part, in milliseconds, from the request to its HTML. */
  readonly partTimeoutMs: number
  /** The functions that fetch the data of the parts from upstream. */
  readonly sources: Readonly<Record<SourceName, FetchSource>>
}

export type FetchSource = (query: PageQuery, caller: Caller) => Promise<Pick<PageInput, 'data' | 'type'>>

/** A part that is not finished. */
interface OpenPart extends PagePart {
  /** The place among the pieces of the page. */
  readonly place: number
}

/**
 * Composes one page. Static pieces are ready at once; each part is ready as soon as its data has arrived and it is
 * rendered. A part that fails or is late is replaced by its fallback. A required part has none: without it there is no
 * page.
 *
 *     upstream ── bytes ──▶ the parts made of them ── render() ──▶ HTML ──▶ its place in the stream
 *
 * @returns the bytes of the page, once no required part can fail any more and so the status is known
 * @throws Problem of a required part
 */
export async function composePage(
  tools: PageTools,
  query: PageQuery,
  context: RequestContext,
): Promise<PageStream> {
  const page = new Page(tools, query, context)
  await page.required
  return page.stream
}

class Page {
  readonly stream: PageStream
  readonly required: Promise<void>
  readonly #tools: PageTools
  readonly #query: PageQuery
  readonly #context: RequestContext
  readonly #open = new Set<OpenPart>()
  readonly #arrived = new Set<SourceName>()
  readonly #timer: NodeJS.Timeout
  #openRequired: number
  readonly #accept: () => void
  readonly #refuse: (problem: Problem) => void

  constructor(tools: PageTools, query: PageQuery, context: RequestContext) {
    this.#tools = tools
    this.#query = query
    this.#context = context
    const pieces = placesOf(tools.shell, query)
    this.stream = new PageStream(pieces.length, tools.held)
    for (const [place, piece] of pieces.entries()) {
      if (piece instanceof Uint8Array) this.stream.putStatic(place, piece)
      else this.#openPart({ ...piece, place })
    }
    this.#openRequired = [...this.#open].filter(isRequired).length
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.required = promise
    this.#accept = resolve
    this.#refuse = reject
    this.#timer = setTimeout(() => this.#expire(), tools.partTimeoutMs)
    this.#makeAll()
  }

  #openPart(part: OpenPart): void {
    this.#open.add(part)
    this.#tools.held.bytes += parts[part.name].typicalBytes
  }

  #makeAll(): void {
    const { requestId, traceparent, deadline } = this.#context
    const partDeadline = Math.min(deadline, monotonicMs() + this.#tools.partTimeoutMs)
    const envelope = { requestId, traceparent, deadline: partDeadline }
    const fetched = new Map<SourceName, Promise<PageInput>>()
    for (const part of this.#open) {
      const { source } = parts[part.name]
      const input = fetched.get(source) ?? this.#fetch(source, envelope)
      fetched.set(source, input)
      void this.#make(part, input)
    }
  }

  async #fetch(source: SourceName, envelope: PageInput['envelope']): Promise<PageInput> {
    const fetched = await this.#tools.sources[source](this.#query, this.#context)
    this.#arrived.add(source)
    return { envelope, query: this.#query, ...fetched }
  }

  async #make(part: OpenPart, fetched: Promise<PageInput>): Promise<void> {
    try {
      const input = await fetched
      if (!this.#open.has(part)) return
      const { html } = await this.#tools.rendering.render(this.#context, { ...part, input })
      if (!this.#settle(part)) return
      this.stream.putPart(part.place, html)
      if (isRequired(part) && --this.#openRequired === 0) this.#accept()
    } catch (error) {
      this.#fail(part, toProblem(error))
    }
  }

  #fail(part: OpenPart, problem: Problem): void {
    if (!this.#settle(part)) return
    if (isRequired(part)) {
      this.stream.destroy()
      this.#refuse(problem)
    }
    if (this.stream.destroyed || this.#context.gone) return
    this.stream.putStatic(part.place, this.#tools.shell.fallbacks[part.name])
    noteFailedPart(this.#tools, part.name, problem)
  }

  #expire(): void {
    for (const part of this.#open) {
      const hasData = this.#arrived.has(parts[part.name].source)
      this.#fail(part, new Problem(hasData ? 'DEADLINE_PASSED' : 'UPSTREAM_TIMEOUT'))
    }
  }

  /** @returns whether the part was still open */
  #settle(part: OpenPart): boolean {
    const wasOpen = this.#open.delete(part)
    if (wasOpen) this.#tools.held.bytes -= parts[part.name].typicalBytes
    if (this.#open.size === 0) clearTimeout(this.#timer)
    return wasOpen
  }
}

/** Counts and logs a part that its page shows the fallback of. */
export function noteFailedPart(
  { fallbackCounts, logger }: PageTools,
  part: PartName,
  problem: Problem,
): void {
  const { code } = problem
  fallbackCounts.count(part, code)
  logger.error('a page part failed', { part, code, cause: describeCause(problem) })
}

const isRequired = ({ name }: PagePart): boolean => parts[name].isRequired
