import type { IncomingHttpHeaders } from 'node:http'
import type { OptionTable, Values } from '../lib/cli/options.ts'
import { queryParser, type RawQuery } from '../lib/http/query.ts'
import type { Answer } from './answer.ts'
import type { RequestContext } from './context.ts'
import type { DescribedAnswer } from './server/describe-answer.ts'
import type { Need } from './server/overload/admission.ts'

export interface Route {
  readonly path: string
  /**
   * The pools and services for which a request of this route may have to wait. A route that needs none is light and is
   * always admitted.
   */
  readonly needs?: readonly Need[]
  /**
   * Answers without CPU tasks a request that would have to wait too long for them. The answer has the header `x-degraded`.
   * Absent for a route that is nothing without its tasks.
   */
  readonly handleDegraded?: Handle
  /**
   * @param headers the headers of the client's request
   * @throws InvalidQueryError, Problem
   */
  readonly handle: Handle
}

/** A route of the API, with its part of the OpenAPI document. */
export interface ApiRoute extends Route {
  readonly parameters: OptionTable
  readonly answer: DescribedAnswer
}

export interface RouteAnswer {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Answer['body']
}

type Handle<Query = RawQuery> = (
  query: Query,
  context: RequestContext,
  headers: IncomingHttpHeaders,
) => Promise<RouteAnswer> | RouteAnswer

/** Makes a route of the API, whose `handle` gets the parsed query. */
export function route<Table extends OptionTable>(
  path: string,
  {
    handle,
    handleDegraded,
    ...described
  }: Omit<ApiRoute, 'path' | 'handle' | 'handleDegraded'> & {
    readonly parameters: Table
    readonly handle: Handle<Values<Table>>
    readonly handleDegraded?: Handle<Values<Table>>
  },
): ApiRoute {
  const parse = queryParser(described.parameters)
  const parsing =
    (handle: Handle<Values<Table>>): Handle =>
    (raw, context, headers) =>
      handle(parse(raw), context, headers)
  return {
    path,
    ...described,
    handle: parsing(handle),
    ...(handleDegraded && { handleDegraded: parsing(handleDegraded) }),
  }
}
