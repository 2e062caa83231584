import type { Envelope } from '../../../lib/threads/envelope.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { type ComposedPart, composeParts } from '../../../render/main-thread/composed-page.ts'
import type { HeldBytes } from '../../../render/main-thread/page-body.ts'
import type { PageStream } from '../../../render/main-thread/page-stream.ts'
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
export function composePage(
  tools: PageTools,
  query: PageQuery,
  context: RequestContext,
): Promise<PageStream> {
  const { shell, held, partTimeoutMs } = tools
  const page = new PageParts(tools, query, context)
  const pieces = placesOf(shell, query).map(piece => (piece instanceof Uint8Array ? piece : page.part(piece)))
  return composeParts(pieces, { held, partTimeoutMs, isGone: () => context.gone })
}

/** The parts of one page. Those with the same source share one fetch. */
class PageParts {
  readonly #tools: PageTools
  readonly #query: PageQuery
  readonly #context: RequestContext
  readonly #envelope: Envelope
  readonly #fetches = new Map<SourceName, Promise<PageInput>>()
  readonly #arrived = new Set<SourceName>()

  constructor(tools: PageTools, query: PageQuery, context: RequestContext) {
    this.#tools = tools
    this.#query = query
    this.#context = context
    const { requestId, traceparent, deadline } = context
    this.#envelope = {
      requestId,
      traceparent,
      deadline: Math.min(deadline, monotonicMs() + tools.partTimeoutMs),
    }
  }

  part(part: PagePart): ComposedPart {
    const { name } = part
    const { source, isRequired, typicalBytes } = parts[name]
    return {
      typicalBytes,
      fallback: isRequired ? undefined : this.#tools.shell.fallbacks[name],
      make: isWanted => this.#make(part, isWanted),
      late: () => new Problem(this.#arrived.has(source) ? 'DEADLINE_PASSED' : 'UPSTREAM_TIMEOUT'),
      onFallback: error => noteFailedPart(this.#tools, name, toProblem(error)),
    }
  }

  async #make(part: PagePart, isWanted: () => boolean): Promise<Uint8Array> {
    const { source } = parts[part.name]
    const fetched = this.#fetches.get(source) ?? this.#fetch(source)
    this.#fetches.set(source, fetched)
    const input = await fetched
    if (!isWanted()) throw new Problem('DEADLINE_PASSED')
    return (await this.#tools.rendering.render(this.#context, { ...part, input })).html
  }

  async #fetch(source: SourceName): Promise<PageInput> {
    const fetched = await this.#tools.sources[source](this.#query, this.#context)
    this.#arrived.add(source)
    return { envelope: this.#envelope, query: this.#query, ...fetched }
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
