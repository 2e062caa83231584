import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { RawQuery } from '../../../lib/query.ts'

/** Serves the routes over HTTP: the same status, headers that matter, body and errors. */
export type CreateHttpServer = (service: Service) => Promise<Server>

/** The application as a framework sees it. */
export interface Service {
  readonly paths: readonly string[]
  /** Answers GET or HEAD on one of `paths`. Never rejects: a failure is an answer too. */
  answer(path: string, query: RawQuery, request: IncomingMessage, response: ServerResponse): Promise<Answer>
  /** Answers what no route serves: a path that is not there, or a method that is not allowed. */
  refuse(request: IncomingMessage): Answer
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is sent chunk by chunk, and closed when it was sent or the client is gone. */
  readonly body: string | Buffer | BodyStream
}

/** A body that may want to know what has left for its client: it can be freed. */
export interface BodyStream extends Readable {
  sent?(chunk: Uint8Array): void
  /** Nothing more will be sent. */
  release?(): void
}
