import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { contentSecurityPolicy } from '../../../lib/http/security-headers.ts'
import type { MediaType } from '../../../orders/order.ts'
import type { HeldBytes } from '../../../render/main-thread/page-body.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { RouteAnswer } from '../../route.ts'
import type { Apm } from '../apm/contract.ts'
import type { Logger } from '../logging/contract.ts'
import type { OrdersClient } from '../upstream/contract.ts'
import { chooseEncoding, compress, withEncoding } from './compression.ts'
import { FallbackCounts } from './fallback-counts.ts'
import type { InstrumentedRendering } from './instrumented.ts'
import { composePage, type PageTools } from './page.ts'
import { passPage } from './passed-page.ts'
import type { Shell } from './shell.ts'
import { createSources } from './sources.ts'

/** Allows scripts, styles and forms of this site only, and none inside the page itself. */
const CONTENT_SECURITY_POLICY = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
})

const NOT_TAKEN = 'too many clients are still receiving their pages; try again'

export const PAGE_TYPE = 'text/html; charset=utf-8'
export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  vary: 'accept-encoding',
} as const

export type HandlePage = (
  query: PageQuery,
  context: RequestContext,
  headers: IncomingHttpHeaders,
) => Promise<RouteAnswer>

export interface PageOptions {
  readonly rendering: InstrumentedRendering
  readonly shell: Shell
  readonly upstream: OrdersClient
  readonly upstreamType: MediaType
  readonly logger: Logger
  readonly apm: Apm
  readonly partTimeoutMs: number
  /** Above this memory of unsent page parts, further requests for pages are refused. */
  readonly pageMemoryMib: number
}

export function createPageHandler(options: PageOptions): HandlePage {
  const { rendering, upstream, upstreamType, apm, pageMemoryMib } = options
  const { pages } = rendering
  const fallbackCounts = new FallbackCounts()
  apm.watch(fallbackCounts.read)
  const held: HeldBytes = { bytes: 0 }
  apm.watch(async () => [{ metric: 'app.page.memory', value: held.bytes }])
  const sources = createSources(upstream, upstreamType)
  const tools: PageTools = { ...options, fallbackCounts, held, sources }
  return async (query, context, headers) => {
    if (held.bytes >= pageMemoryMib * 2 ** 20) throw new Problem('OVERLOADED', NOT_TAKEN)
    const encoding = chooseEncoding(headers)
    const page = await (pages ? passPage(tools, pages, query, context) : composePage(tools, query, context))
    return {
      contentType: PAGE_TYPE,
      headers: withEncoding(PAGE_HEADERS, encoding),
      body: encoding ? compress(page instanceof Readable ? page : Readable.from([page]), encoding) : page,
    }
  }
}
