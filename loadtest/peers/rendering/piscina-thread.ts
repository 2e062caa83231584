import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { createRendering } from '../../../app/concerns/rendering/stream.ts'
import { RequestContext } from '../../../app/context.ts'
import type { PageRequest } from '../../../app/pages/page-data.ts'
import type { PageQuery } from '../../../app/pages/view/data.ts'
import type { PartName } from '../../../app/pages/view/part.tsx'
import { type Problem, type ProblemCode, toProblem } from '../../../app/problems.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { MediaType } from '../../../orders/order.ts'

/** A page with its data, as upstream sent it. */
export interface RenderJob {
  readonly query: PageQuery
  readonly nonce: string
  readonly deadline: number
  readonly orders: Uint8Array
  readonly recommendations: Uint8Array | null
}

interface SentProblem {
  readonly code: ProblemCode
  readonly cause: string
}

type SentPart = SentProblem & { readonly part: PartName }

export interface RenderedPage {
  readonly html: Uint8Array<ArrayBuffer>
  readonly missing: readonly SentPart[]
  /** The reason why there is no page. */
  readonly problem?: SentProblem
  readonly startedAtMs: number
  readonly runMs: number
}

/** The data of the pages that are being rendered, by their contexts, with which they are asked for. */
const jobs = new WeakMap<object, RenderJob>()
const { pageFile, upstreamType } = workerData as {
  readonly pageFile: string | undefined
  readonly upstreamType: MediaType
}
/** The main thread knows already why nothing comes. */
const nothing = new Error('nothing will come')
const rendering = await createRendering({
  ...workerData,
  upstreamType,
  ...(pageFile && { page: await import(pageFile) }),
  fetchPage({ context }: PageRequest) {
    const { orders, recommendations } = jobs.get(context) as RenderJob
    return {
      orders: Promise.resolve(orders),
      recommendations: recommendations ? Promise.resolve(recommendations) : Promise.reject(nothing),
    }
  },
})

/** Renders a page, and waits for its last byte. */
export async function renderPage(job: RenderJob): Promise<unknown> {
  const startedAtMs = monotonicMs()
  const missing: SentPart[] = []
  const ended = Promise.withResolvers<void>()
  const context = new RequestContext('', Number.POSITIVE_INFINITY)
  jobs.set(context, job)
  const { query, nonce, deadline } = job
  const onMissing = (part: PartName, error: unknown) =>
    error === nothing || missing.push({ part, ...sent(toProblem(error)) })
  const times = () => ({ missing, startedAtMs, runMs: monotonicMs() - startedAtMs })
  try {
    const request = { context, query, nonce, deadline, onMissing, onEnd: () => ended.resolve() }
    const body = await rendering.render(request)
    const html = await buffer(body as Readable)
    await ended.promise
    return transferred({ html: new Uint8Array(html), ...times() })
  } catch (error) {
    return { html: new Uint8Array(), problem: sent(toProblem(error)), ...times() } satisfies RenderedPage
  }
}

const sent = ({ code, cause }: Problem): SentProblem => ({ code, cause: String(cause) })

/** The memory of the page goes to the main thread without a copy. */
const transferred = (page: RenderedPage) =>
  move({ [transferableSymbol]: [page.html.buffer], [valueSymbol]: page })
