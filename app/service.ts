import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type RawQuery, splitUrl } from '../lib/http/query.ts'
import { securityHeaders } from '../lib/http/respond.ts'
import type { Logger } from '../lib/telemetry/logger.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { Service } from './concerns/framework/contract.ts'
import { RequestContext, requestContext, resource } from './context.ts'
import { describeCause, Problem, problemAnswer, toProblem } from './problems.ts'
import type { Answer, Route, RouteAnswer } from './route.ts'
import { noteEnd } from './server/ending.ts'
import { objectTo } from './server/http-rules.ts'
import { type RequestHooks, RunningRoutes } from './server/request-hooks.ts'

interface ServiceOptions {
  readonly routes: readonly Route[]
  readonly apm: Apm
  readonly logger: Logger
  readonly requestTimeoutMs: number
  /** Of what operates the service, such as admission control. */
  readonly hooks?: RequestHooks
}

/** The part of the service that is the same in every framework: the context of a request, and failures as problem documents. */
export class AppService implements Service {
  readonly #options: ServiceOptions
  readonly #routes: ReadonlyMap<string, Route>
  readonly running = new RunningRoutes()

  constructor(options: ServiceOptions) {
    this.#options = options
    this.#routes = new Map(options.routes.map(route => [route.path, route]))
  }

  get paths(): readonly string[] {
    return [...this.#routes.keys()]
  }

  answer(path: string, query: RawQuery, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { apm, requestTimeoutMs } = this.#options
    const hooks: RequestHooks | undefined = this.#options.hooks
    const startedAtMs = hooks?.now() ?? 0
    const route = this.#routes.get(path) as Route
    const span = apm.enterRoute(path, response)
    const objection = objectTo(request, path)
    if (objection) hooks?.record(false, startedAtMs)
    const refusal = objection ?? hooks?.admit(route, startedAtMs)
    if (refusal) {
      apm.leaveRoute(span)
      return Promise.resolve(refusal)
    }
    const context = new RequestContext(identify(request), monotonicMs() + requestTimeoutMs, span, apm)
    response.on('close', () => {
      hooks?.record(response.writableFinished && response.statusCode < 400, startedAtMs)
      if (!response.writableFinished) context.abort()
      noteEnd(context)
    })
    const work = requestContext.run(context, () => this.#handle(route, query, request, context))
    if (hooks) return hooks.inTime(route, context, work, problem => this.#fail(route, problem))
    return work
  }

  refuse(request: IncomingMessage): Answer {
    const [path] = splitUrl(request.url as string)
    const code = this.#routes.has(path) ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
    const refusal = objectTo(request, path, code)
    if (refusal) return refusal
    return problemAnswer(new Problem(code))
  }

  async #handle(
    route: Route,
    query: RawQuery,
    request: IncomingMessage,
    context: RequestContext,
  ): Promise<Answer> {
    const running: RunningRoutes = this.running
    running.enter()
    let body: Answer['body'] | undefined
    try {
      const answered = await route.handle(query, context, request.headers)
      body = answered.body
      return { status: 200, headers: headersOf(answered), body }
    } catch (error) {
      return this.#fail(route, toProblem(error))
    } finally {
      const hooks: RequestHooks | undefined = this.#options.hooks
      hooks?.leave(route)
      const leave = () => {
        this.#options.apm.leaveRoute(context.span)
        running.leave()
      }
      // A route that streams is at work until its stream is closed.
      if (body instanceof Readable && !body.closed) body.once('close', leave)
      else leave()
    }
  }

  #fail({ path }: Route, problem: Problem): Answer {
    if (problem.status >= 500) {
      const { message, code } = problem
      this.#options.logger.error(message, { path, code, cause: describeCause(problem) })
    }
    return problemAnswer(problem)
  }
}

/** The headers of good answers that have none of their own, by their type, of which there are few. */
const headersByType = new Map<string, Answer['headers']>()

function headersOf({ contentType, headers }: RouteAnswer): Answer['headers'] {
  if (headers) return { ...securityHeaders, 'content-type': contentType, ...headers }
  const made = headersByType.get(contentType) ?? { ...securityHeaders, 'content-type': contentType }
  headersByType.set(contentType, made)
  return made
}

let requests = 0

/** The request id that the client sent if it is plain text of at most 64 characters, otherwise a new one. */
function identify({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)
    ? given
    : `${resource.instance.slice(0, 8)}-${++requests}`
}
