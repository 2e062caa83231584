import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { RawQuery } from '../../../lib/http/query.ts'
import type { BodyStream } from '../../../lib/main-thread/send-stream.ts'

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

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is sent chunk by chunk. It is closed when it has been sent or the client has gone. */
  readonly body: string | Buffer | BodyStream
}
