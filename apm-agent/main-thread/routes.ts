import type { IncomingMessage } from 'node:http'
import { takeReports } from './calls.ts'
import type { Answer } from './recorder.ts'

/** The property of an answer with the route that Fastify has found for its request. */
const ROUTE = Symbol('route')

type Routed = Answer & { [ROUTE]?: string | undefined }

/** The parts of Fastify that are used here; which of them are there depends on its version. */
interface Fastify {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: { readonly raw: Routed }, done: () => void) => void,
  ): void
}

interface FastifyRequest {
  /** Since 4.10. */
  readonly routeOptions?: { readonly url?: string }
}

/** The properties that Express, and routers like it, add to a request. */
interface ExpressRequest extends IncomingMessage {
  readonly baseUrl?: unknown
  readonly route?: { readonly path?: unknown } | null
}

/** Adds a hook to each Fastify that is created from now on: before any hook of the service, it notes the route. */
export function followFastify(): void {
  takeReports('fastify.initialization', ({ fastify }: { readonly fastify: Fastify }) =>
    fastify.addHook('onRequest', (request, reply, done) => {
      try {
        reply.raw[ROUTE] = request.routeOptions?.url
      } catch {
        // A request without a known route is still answered.
      }
      done()
    }),
  )
}

/** The route that has answered a request: `/orders/:id`, never the path of the request itself. */
export function routeOf(answer: Answer): string | undefined {
  try {
    const { baseUrl, route } = answer.req as ExpressRequest
    const { [ROUTE]: ofFastify } = answer as Routed
    if (ofFastify !== undefined || typeof route?.path !== 'string') return ofFastify
    return typeof baseUrl === 'string' ? baseUrl + route.path : route.path
  } catch {
    // Properties of other people's requests may be functions that throw.
    return undefined
  }
}
