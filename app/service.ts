import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { isMalformed } from '../lib/http/malformed.ts'
import { type RawQuery, splitUrl } from '../lib/http/query.ts'
import { isNavigation } from '../lib/http/respond.ts'
import { securityHeaders } from '../lib/http/security-headers.ts'
import type { Logger } from '../lib/telemetry/logger.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Answer } from './answer.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { Service } from './concerns/framework/contract.ts'
import { RequestContext, requestContext } from './context.ts'
import {
  describeCause,
  notFoundAnswer,
  Problem,
  type ProblemCode,
  problemAnswer,
  toProblem,
} from './problems.ts'
import { resource } from './resource.ts'
import type { Route, RouteAnswer } from './route.ts'
import { hasBody } from './server/limits.ts'
import type { AdmissionControl } from './server/overload/admission.ts'
import { Deadlines } from './server/overload/deadlines.ts'
import { degrade } from './server/overload/degraded.ts'
import type { Refusals } from './server/overload/refusals.ts'
import { objectionToUrl } from './server/urls.ts'

interface ServiceOptions {
  readonly routes: readonly Route[]
  readonly apm: Apm
  readonly logger: Logger
  /** Is told of each answered request. @param startedAtMs by `performance.now()` */
  record?(isGood: boolean, startedAtMs: number): void
  readonly admission: Pick<AdmissionControl, 'enter' | 'leave'>
  readonly refusals: Refusals
  /** Whether a request that would wait too long for a worker is answered without its CPU tasks, where its route can. */
  readonly degrades?: boolean
  /** The time budget of a request, in milliseconds. */
  readonly requestTimeoutMs: number
}

/** A route, and how it answers without its CPU tasks, if it does. */
type ServedRoute = Required<Omit<Route, 'handleDegraded'>> & { readonly degraded?: ServedRoute | undefined }

export interface DrainableService extends Service {
  /** Resolves once no route is running, whether or not its client is still connected. */
  idle(): Promise<void>
}

/**
 * The part of the service that is the same in every framework: admission control, the context and the time budget of a
 * request, and failures as problem documents.
 */
export class AppService implements DrainableService {
  readonly #options: ServiceOptions
  readonly #routes: ReadonlyMap<string, ServedRoute>
  readonly #deadlines = new Deadlines()
  #running = 0
  #onIdle: (() => void) | undefined

  constructor(options: ServiceOptions) {
    this.#options = options
    const serve = (route: Route): ServedRoute => ({
      needs: [],
      ...route,
      degraded: options.degrades ? degrade(route) : undefined,
    })
    this.#routes = new Map(options.routes.map(route => [route.path, serve(route)]))
  }

  get paths(): readonly string[] {
    return [...this.#routes.keys()]
  }

  answer(path: string, query: RawQuery, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { apm, record, requestTimeoutMs } = this.#options
    const startedAtMs = performance.now()
    const span = apm.enterRoute(path, response)
    const admitted = this.#admit(request, this.#routes.get(path) as ServedRoute, startedAtMs)
    if ('status' in admitted) {
      apm.leaveRoute(span)
      record?.(false, startedAtMs)
      return Promise.resolve(admitted)
    }
    const deadline = monotonicMs() + requestTimeoutMs
    const context = new RequestContext(identify(request), deadline, span, apm)
    response.on('close', () => {
      record?.(response.writableFinished && response.statusCode < 400, startedAtMs)
      if (!response.writableFinished) context.abort()
      context.end()
    })
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const settle =
      admitted.needs.length === 0
        ? resolve
        : this.#deadlines.meet(deadline, resolve, () => this.#giveUp(admitted, context), destroyBody)
    void requestContext.run(context, () => this.#handle(admitted, query, request, context, settle))
    return promise
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

  /** The way in which a request is served, or the answer to one that is refused before any work. */
  #admit(request: IncomingMessage, route: ServedRoute, nowMs: number): ServedRoute | Answer {
    const { admission, refusals } = this.#options
    const ofBody = hasBody(request) ? 'CONTENT_TOO_LARGE' : undefined
    const objection = objectionToHead(request, route.path) ?? ofBody
    if (objection) return objectTo(request, objection)
    const congestion = admission.enter(route.needs, nowMs)
    if (!congestion) return route
    const { degraded } = route
    const stillCongested = degraded ? admission.enter(degraded.needs, nowMs) : congestion
    if (!degraded || stillCongested) return refusals.refuse(stillCongested ?? congestion, request)
    refusals.degrade(congestion)
    return degraded
  }

  async #handle(
    route: ServedRoute,
    query: RawQuery,
    request: IncomingMessage,
    context: RequestContext,
    settle: (answer: Answer) => void,
  ): Promise<void> {
    this.#running++
    let body: Answer['body'] | undefined
    try {
      const answered = await route.handle(query, context, request.headers)
      body = answered.body
      settle({ status: 200, headers: headersOf(answered), body })
    } catch (error) {
      settle(this.#fail(route, toProblem(error)))
    } finally {
      this.#options.admission.leave(route.needs)
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

  /** Tells all work for this request to stop, because its answer is late. */
  #giveUp(route: Route, context: RequestContext): Answer {
    context.abort()
    return requestContext.run(context, () => this.#fail(route, new Problem('ANSWER_LATE')))
  }

  #leave({ span }: RequestContext): void {
    this.#options.apm.leaveRoute(span)
    if (--this.#running === 0) this.#onIdle?.()
  }
}

function destroyBody({ body }: Answer): void {
  if (body instanceof Readable) body.destroy()
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
