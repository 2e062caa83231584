import { randomUUID } from 'node:crypto'
import { contentSecurityPolicy, PAGE_TYPE } from '../../lib/http/respond.ts'
import type { Logger } from '../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import { requestContext } from '../context.ts'
import { describeCause, toProblem } from '../problems.ts'
import type { Handle } from '../route.ts'
import type { PageHooks } from '../server/page-hooks.ts'
import type { PageQuery } from './view/data.ts'
import type { PartName } from './view/part.tsx'

/** Allows scripts, styles and forms of this site, and the scripts with this nonce, with which React moves late parts. */
const [policyStart, policyEnd] = contentSecurityPolicy({
  'script-src': "'self' 'nonce-NONCE'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
}).split('NONCE')

const pageHeaders = (nonce: string) => ({
  'content-security-policy': `${policyStart}${nonce}${policyEnd}`,
  'cache-control': 'no-store',
})

export interface PageOptions {
  readonly rendering: Rendering
  readonly logger: Logger
  readonly apm: Apm
  readonly partTimeoutMs: number
  readonly hooks?: PageHooks
}

/** Makes the handler of `/page`. A page is one span below that of its request. */
export function createPageHandler(options: PageOptions): Handle<PageQuery> {
  const { rendering, logger, apm, partTimeoutMs } = options
  const hooks: PageHooks | undefined = options.hooks
  return async (query, context) => {
    hooks?.admit(query, context)
    const nonce = randomUUID()
    const span = apm.startWork('render', 'page', context.span)
    const missing = new Set<PartName>()
    function onMissing(part: PartName, error: unknown): void {
      // Each component of a part may fail.
      if (context.gone || missing.has(part)) return
      missing.add(part)
      const problem = toProblem(error)
      const { code } = problem
      hooks?.missing(part, code)
      // A message of a thread arrives outside of the request.
      requestContext.run(context, () =>
        logger.error('a page part failed', { part, code, cause: describeCause(problem) }),
      )
    }
    try {
      const body = await rendering.render({
        context,
        query,
        nonce,
        deadline: Math.min(context.deadline, monotonicMs() + partTimeoutMs),
        onMissing,
        onEnd: times => apm.endWork(span, times),
      })
      return { contentType: PAGE_TYPE, headers: pageHeaders(nonce), body }
    } catch (error) {
      const problem = toProblem(error)
      apm.failWork(span, problem)
      throw problem
    }
  }
}
