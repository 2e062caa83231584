import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Answer } from './recorder.ts'

/** The property of an answer with the route that Fastify has found for its request. */
const ROUTE = Symbol('route')

type Routed = Answer & { [ROUTE]?: string | undefined }

/** The parts of Fastify that are used here. */
interface Fastify {
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly routeOptions: { readonly url?: string } },
      reply: { readonly raw: Routed },
      done: () => void,
    ) => void,
  ): void
}

/** The properties that Express, and routers like it, add to a request. */
interface ExpressRequest extends IncomingMessage {
  readonly baseUrl?: string
  readonly route?: { readonly path?: unknown }
}

/** Adds a hook to each Fastify that is created from now on: before any hook of the service, it notes the route. */
export function followFastify(): void {
  channel('fastify.initialization').subscribe(message => {
    const { fastify } = message as { readonly fastify: Fastify }
    fastify.addHook('onRequest', ({ routeOptions }, { raw }, done) => {
      raw[ROUTE] = routeOptions.url
      done()
    })
  })
}

/** The route that has answered a request: `/orders/:id`, never the path of the request itself. */
export function routeOf(answer: Answer): string | undefined {
  const { baseUrl = '', route } = answer.req as ExpressRequest
  const path = route?.path
  return (answer as Routed)[ROUTE] ?? (typeof path === 'string' ? baseUrl + path : undefined)
}
