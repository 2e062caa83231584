import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { splitUrl } from '../lib/query.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { Answer, Service } from './concerns/framework/contract.ts'
import type { Logger } from './concerns/logging/contract.ts'
import { RequestContext, requestContext } from './context.ts'
import { hasBody } from './limits.ts'
import type { Gate } from './overload/admission.ts'
import { Deadlines } from './overload/deadlines.ts'
import type { Refusals } from './overload/refusals.ts'
import { problemAnswer } from './problem-answer.ts'
import { describeCause, Problem, type ProblemCode, toProblem } from './problems.ts'
import type { RequestMeter } from './pulse/request-meter.ts'
import { resource } from './resource.ts'
import type { Route } from './route.ts'
import { objectionToUrl } from './urls.ts'

interface ServiceOptions {
  readonly routes: readonly Route[]
  readonly apm: Apm
  readonly logger: Logger
  readonly meter: RequestMeter
  readonly gate: Gate
  readonly refusals: Refusals
  /** The time budget of a request. */
  readonly requestTimeoutMs: number
}

type ServedRoute = Required<Route>

export interface DrainableService extends Service {
  /** Resolves once no route is running, whether or not its client is still there. */
  idle(): Promise<void>
}

/**
 * What every framework has in common: who is admitted, the context and the time budget of a request, and failures as
 * problem documents.
 */
export function createService({
  routes,
  apm,
  logger,
  meter,
  gate,
  refusals,
  requestTimeoutMs,
}: ServiceOptions): DrainableService {
  let running = 0
  let onIdle: (() => void) | undefined
  const deadlines = new Deadlines()
  const byPath = new Map(routes.map((route): [string, ServedRoute] => [route.path, { needs: [], ...route }]))

  async function answer(
    route: ServedRoute,
    query: Parameters<Route['handle']>[0],
    request: IncomingMessage,
    context: RequestContext,
  ) {
    running++
    let body: Answer['body'] | undefined
    try {
      const answered = await route.handle(query, context, request.headers)
      body = answered.body
      const headers = { ...securityHeaders, 'content-type': answered.contentType, ...answered.headers }
      return { status: 200, headers, body }
    } catch (error) {
      return fail(route, toProblem(error))
    } finally {
      gate.leave(route.needs)
      // A route that streams is at work until its stream is closed.
      if (body instanceof Readable && !body.closed) body.once('close', () => leave(context))
      else leave(context)
    }
  }

  function fail({ path }: Route, problem: Problem): Answer {
    if (problem.status >= 500) {
      const { message, code } = problem
      logger.error(message, { path, code, cause: describeCause(problem) })
    }
    return problemAnswer(problem)
  }

  function leave(context: RequestContext): void {
    apm.leaveRoute(context.span)
    if (--running === 0) onIdle?.()
  }

  /** The answer to a request that is not to be worked on; undefined when it is admitted. */
  function turnAway(
    request: IncomingMessage,
    { path, needs }: ServedRoute,
    nowMs: number,
  ): Answer | undefined {
    const ofBody = hasBody(request) ? 'CONTENT_TOO_LARGE' : undefined
    const objection = objectionToUrl(request.url as string, path) ?? ofBody
    if (objection) return objectTo(request, objection)
    const congestion = gate.enter(needs, nowMs)
    return congestion && refusals.refuse(congestion, request)
  }

  /** Whoever still works for this request has no need to. */
  const giveUp = (route: Route, context: RequestContext) => () => {
    context.leave()
    return requestContext.run(context, fail, route, new Problem('ANSWER_LATE'))
  }

  return {
    paths: [...byPath.keys()],
    answer(path, query, request, response) {
      const route = byPath.get(path) as ServedRoute
      const startedAtMs = performance.now()
      const span = apm.enterRoute(path, response)
      const turnedAway = turnAway(request, route, startedAtMs)
      if (turnedAway) {
        apm.leaveRoute(span)
        meter.record(false, startedAtMs)
        return Promise.resolve(turnedAway)
      }
      const deadline = Date.now() + requestTimeoutMs
      const context = new RequestContext(identify(request), deadline, span, apm)
      response.once('close', () => {
        meter.record(response.writableFinished && response.statusCode < 400, startedAtMs)
        if (!response.writableFinished) context.leave()
      })
      const answered = requestContext.run(context, answer, route, query, request, context)
      return route.needs.length === 0
        ? answered
        : deadlines.meet(answered, deadline, giveUp(route, context), destroyBody)
    },
    async idle() {
      if (running === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onIdle = resolve
      await promise
    },
    refuse(request) {
      const url = request.url as string
      const [path] = splitUrl(url)
      const code = byPath.has(path) ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
      return objectTo(request, objectionToUrl(url, path) ?? code)
    },
  }
}

function destroyBody({ body }: Answer): void {
  if (body instanceof Readable) body.destroy()
}

let requests = 0

/** The id that the client gave, if it is a harmless one, or a new one. */
function identify({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)
    ? given
    : `${resource.instance.slice(0, 8)}-${++requests}`
}

/** The answer to a request that is wrong in itself. What more it sends of a body is not waited for. */
function objectTo(request: IncomingMessage, code: ProblemCode): Answer {
  const answer = problemAnswer(new Problem(code))
  return hasBody(request) ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer
}
