import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { RawQuery } from '../../../lib/http/query.ts'
import type { Answer } from '../../route.ts'

/** Serves the routes over HTTP. Status, relevant headers, body and errors are the same in every implementation. */
export type CreateHttpServer = (service: Service) => Promise<Server>

/** The application as a framework sees it. */
export interface Service {
  readonly paths: readonly string[]
  /** Answers GET or HEAD for one of `paths`. It never rejects: a failure is an answer too. */
  answer(path: string, query: RawQuery, request: IncomingMessage, response: ServerResponse): Promise<Answer>
  /** Answers a request without a route: an unknown path, or a method that is not allowed. */
  refuse(request: IncomingMessage): Answer
}
