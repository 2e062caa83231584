import type { IncomingHttpHeaders } from 'node:http'
import type { OptionTable } from '../lib/options.ts'
import type { RawQuery } from '../lib/query.ts'
import type { Answer } from './concerns/framework/contract.ts'
import type { RequestContext } from './context.ts'
import type { AnswerOfRoute } from './openapi/answers.ts'
import type { Need } from './overload/queue.ts'

export interface Route {
  readonly path: string
  /**
   * The pools and services for which a request of this route may have to wait. A route that needs none is light and is
   * always admitted.
   */
  readonly needs?: readonly Need[]
  /**
   * @param headers the headers of the client's request
   * @throws InvalidQueryError, Problem
   */
  handle(
    raw: RawQuery,
    context: RequestContext,
    headers: IncomingHttpHeaders,
  ): Promise<RouteAnswer> | RouteAnswer
}

/** A route of the API, with its part of the OpenAPI document. */
export interface ApiRoute extends Route {
  readonly parameters: OptionTable
  readonly answer: AnswerOfRoute
}

export interface RouteAnswer {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Answer['body']
}
