import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type RawQuery, splitUrl } from '../lib/http/query.ts'
import { isMalformed, isNavigation, securityHeaders } from '../lib/http/respond.ts'
import type { Logger } from '../lib/telemetry/logger.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { Service } from './concerns/framework/contract.ts'
import { RequestContext, requestContext, resource, type SpanHandle } from './context.ts'
import { hasBody, objectionToUrl } from './http-rules.ts'
import {
  describeCause,
  notFoundAnswer,
  Problem,
  type ProblemCode,
  problemAnswer,
  toProblem,
} from './problems.ts'
import type { Answer, Route, RouteAnswer } from './route.ts'
import type { RequestHooks } from './server/request-hooks.ts'

interface ServiceOptions {
  readonly routes: readonly Route[]
  readonly apm: Apm
  readonly logger: Logger
  /** The time budget of a request, in milliseconds. */
  readonly requestTimeoutMs: number
  /** Of extras, such as admission control. */
  readonly hooks?: RequestHooks
}

export interface DrainableService extends Service {
  /** Resolves once no route is running, whether or not its client is still connected. */
  idle(): Promise<void>
}

/** The part of the service that is the same in every framework: the context of a request, and failures as problem documents. */
export class AppService implements DrainableService {
  readonly #options: ServiceOptions
  readonly #routes: ReadonlyMap<string, Route>
  #running = 0
  #onIdle: (() => void) | undefined

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
    const refusal = this.#object(request, path)
    if (refusal) hooks?.record(false, startedAtMs)
    if (refusal) return this.#refuse(refusal, span)
    const congestion = hooks?.admit(route, request, startedAtMs)
    if (congestion) return this.#refuse(congestion, span)
    const context = new RequestContext(identify(request), monotonicMs() + requestTimeoutMs, span, apm)
    response.on('close', () => {
      hooks?.record(response.writableFinished && response.statusCode < 400, startedAtMs)
      if (!response.writableFinished) context.abort()
      context.end()
    })
    const work = requestContext.run(context, () => this.#handle(route, query, request, context))
    if (hooks) return hooks.inTime(route, context, work, problem => this.#fail(route, problem))
    return work
  }

  refuse(request: IncomingMessage): Answer {
    const [path] = splitUrl(request.url as string)
    const code = this.#routes.has(path) ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
    return objectTo(request, objectionToHead(request, path) ?? code)
  }

  async idle(): Promise<void> {
    if (this.#running === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onIdle = resolve
    await promise
  }

  #object(request: IncomingMessage, path: string): Answer | undefined {
    const objection = objectionToHead(request, path) ?? (hasBody(request) ? 'CONTENT_TOO_LARGE' : undefined)
    return objection && objectTo(request, objection)
  }

  #refuse(refusal: Answer, span: SpanHandle): Promise<Answer> {
    this.#options.apm.leaveRoute(span)
    return Promise.resolve(refusal)
  }

  async #handle(
    route: Route,
    query: RawQuery,
    request: IncomingMessage,
    context: RequestContext,
  ): Promise<Answer> {
    this.#running++
    let body: Answer['body'] | undefined
    try {
      const answered = await route.handle(query, context, request.headers)
      body = answered.body
      return { status: 200, headers: headersOf(answered), body }
    } catch (error) {
      return this.#fail(route, toProblem(error))
    } finally {
      const hooks: RequestHooks | undefined = this.#options.hooks
      hooks?.leave(route, request)
      // A route that streams is at work until its stream is closed.
      if (body instanceof Readable && !body.closed) body.once('close', () => this.#leave(context))
      else this.#leave(context)
    }
  }

  #fail({ path }: Route, problem: Problem): Answer {
    if (problem.status >= 500) {
      const { message, code } = problem
      this.#options.logger.error(message, { path, code, cause: describeCause(problem) })
    }
    return problemAnswer(problem)
  }

  #leave({ span }: RequestContext): void {
    this.#options.apm.leaveRoute(span)
    if (--this.#running === 0) this.#onIdle?.()
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

/** The problem of a request that its head alone shows; the body is not read. */
const objectionToHead = (request: IncomingMessage, path: string): ProblemCode | undefined =>
  isMalformed(request) ? 'MALFORMED_REQUEST' : objectionToUrl(request.url as string, path)

/**
 * The answer to an invalid request. The connection is closed if a body follows, because nobody reads it, and if the
 * head is malformed, because a proxy and this server may then disagree about the start of the next request.
 */
function objectTo(request: IncomingMessage, code: ProblemCode): Answer {
  const isPage = code === 'NOT_FOUND' && isNavigation(request)
  const answer = isPage ? notFoundAnswer : problemAnswer(new Problem(code))
  const isLast = code === 'MALFORMED_REQUEST' || hasBody(request)
  return isLast ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer
}
