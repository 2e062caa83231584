import type { IncomingHttpHeaders } from 'node:http'
import type { OptionTable } from '../lib/options.ts'
import type { RawQuery } from '../lib/query.ts'
import type { Answer } from './concerns/framework/contract.ts'
import type { RequestContext } from './context.ts'
import type { AnswerOfRoute } from './openapi/answers.ts'
import type { Need } from './overload/lane.ts'

export interface Route {
  readonly path: string
  /** What its requests may have to wait for. A route that needs nothing is light: always admitted. */
  readonly needs?: readonly Need[]
  /**
   * @param headers the client's
   * @throws InvalidQueryError, Problem
   */
  handle(
    raw: RawQuery,
    context: RequestContext,
    headers: IncomingHttpHeaders,
  ): Promise<RouteAnswer> | RouteAnswer
}

/** A route of the API, with what the OpenAPI document says of it. */
export interface ApiRoute extends Route {
  readonly parameters: OptionTable
  readonly answer: AnswerOfRoute
}

export interface RouteAnswer {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Answer['body']
}
