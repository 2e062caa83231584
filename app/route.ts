import type { IncomingHttpHeaders } from 'node:http'
import type { OptionTable, Values } from '../lib/cli/options.ts'
import { queryParser, type RawQuery } from '../lib/http/query.ts'
import type { BodyStream } from '../lib/main-thread/send-stream.ts'
import type { RequestContext } from './context.ts'
import type { Need } from './server/overload/admission.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is sent chunk by chunk. It is closed when it has been sent or the client has gone. */
  readonly body: string | Buffer | BodyStream
}

export interface Encoded {
  readonly contentType: string
  readonly body: string | Buffer
}

export interface Route {
  readonly path: string
  /** What its requests may have to wait for. */
  readonly needs?: readonly Need[]
  /**
   * @param headers the headers of the client's request
   * @throws InvalidQueryError, Problem
   */
  readonly handle: Handle
}

export interface RouteAnswer {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Answer['body']
}

export type Handle<Query = RawQuery> = (
  query: Query,
  context: RequestContext,
  headers: IncomingHttpHeaders,
) => Promise<RouteAnswer> | RouteAnswer

/** Makes a route of the API, whose `handle` gets the parsed query. */
export function route<Table extends OptionTable>(
  path: string,
  {
    parameters,
    handle,
    ...others
  }: Omit<Route, 'path' | 'handle'> & {
    readonly parameters: Table
    readonly handle: Handle<Values<Table>>
  },
): Route {
  const parse = queryParser(parameters)
  return { path, ...others, handle: (raw, context, headers) => handle(parse(raw), context, headers) }
}
