import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { contentSecurityPolicy, PAGE_TYPE } from '../../lib/http/respond.ts'
import type { Logger } from '../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import type { RequestContext } from '../context.ts'
import { addDone, createPool, type Pool, poolReader } from '../pool.ts'
import { Problem, toProblem } from '../problems.ts'
import type { RouteAnswer } from '../route.ts'
import { chooseEncoding, compress, withEncoding } from './compression.ts'
import { FailedParts } from './missing-parts.ts'
import type { PageQuery } from './view/data.ts'

/** Allows scripts, styles and forms of this site, and the scripts with this nonce, with which React moves late parts. */
const policyFor = (nonce: string) =>
  contentSecurityPolicy({
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': "'self'",
    'img-src': "'self'",
    'form-action': "'self'",
  })

const [policyStart, policyEnd] = policyFor('NONCE').split('NONCE')

export const pageHeaders = (nonce: string) => ({
  'content-security-policy': `${policyStart}${nonce}${policyEnd}`,
  'cache-control': 'no-store',
  vary: 'accept-encoding',
})

const NOT_TAKEN = 'too many clients are still receiving their pages; try again'
const MIB = 2 ** 20
/** The memory of a page, and of each order on it, while the page is made and sent. */
const PAGE_BYTES = 16 * 1024
const ORDER_BYTES = 640

export type HandlePage = (
  query: PageQuery,
  context: RequestContext,
  headers: IncomingHttpHeaders,
) => Promise<RouteAnswer>

export interface PageOptions {
  readonly rendering: Rendering
  readonly logger: Logger
  readonly apm: Apm
  readonly partTimeoutMs: number
  /** Above this memory of pages that are made or sent, further requests for pages are refused. */
  readonly pageMemoryMib: number
}

/** Makes the handler of `/page`. */
export function createPageHandler(options: PageOptions): HandlePage {
  const { rendering, logger, apm, partTimeoutMs, pageMemoryMib } = options
  const failedParts = new FailedParts(logger)
  apm.watch(failedParts.read)
  let heldBytes = 0
  apm.watch(async () => [{ metric: 'app.page.memory', value: heldBytes }])
  return async (query, context, headers) => {
    if (heldBytes >= pageMemoryMib * MIB) throw new Problem('OVERLOADED', NOT_TAKEN)
    const pageBytes = PAGE_BYTES + query.orders * ORDER_BYTES
    heldBytes += pageBytes
    context.onEnd(() => {
      heldBytes -= pageBytes
    })
    const nonce = randomUUID()
    const body = await rendering.render({
      context,
      query,
      nonce,
      deadline: Math.min(context.deadline, monotonicMs() + partTimeoutMs),
      onMissing: (part, error) => failedParts.note(context, part, toProblem(error)),
      onEnd() {},
    })
    const encoding = chooseEncoding(headers)
    return {
      contentType: PAGE_TYPE,
      headers: withEncoding(pageHeaders(nonce), encoding),
      body: encoding ? compress(body instanceof Readable ? body : Readable.from([body]), encoding) : body,
    }
  }
}

export interface InstrumentedRendering extends Rendering {
  readonly pool: Pool
}

/** Instruments rendering: every page becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentPages(rendering: Rendering, apm: Apm): InstrumentedRendering {
  const pool = createPool('rendering', rendering.readPool)
  apm.watch(poolReader(pool))
  return {
    ...rendering,
    pool,
    async render(page) {
      if (page.context.gone) throw new Problem('CLIENT_GONE')
      const span = apm.startWork('render', 'page', page.context.span)
      const onEnd: typeof page.onEnd = times => {
        addDone(pool, times)
        apm.endWork(span, times)
        page.onEnd(times)
      }
      try {
        return await rendering.render({ ...page, onEnd })
      } catch (error) {
        const problem = toProblem(error)
        apm.failWork(span, problem)
        throw problem
      }
    },
  }
}
