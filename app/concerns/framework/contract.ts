import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { RawQuery } from '../../../lib/http/query.ts'
import { sendStream } from '../../../lib/main-thread/send-stream.ts'
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

/**
 * Limits on the size of a request and on the time in which it must arrive, and how it is read. They are the same for
 * every framework.
 */
export const serverLimits = {
  /** Bytes of the URL and of the names and values of all headers; separators are not counted. */
  maxHeaderSize: 16_384,
  /** Time limits in milliseconds, the first for the headers of a request and the second for the whole request. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /**
   * Time that a connection may be idle, in milliseconds. It is longer than the usual 60 s of a load balancer, so that
   * the balancer closes first.
   */
  keepAliveTimeout: 65_000,
  /** The interval in milliseconds at which connections are checked against the time limits of a request. */
  connectionsCheckingInterval: 1000,
  /**
   * A request without a body then is no stream that has to be read to its end. Versions of Node.js that lack this option
   * ignore it.
   */
  optimizeEmptyRequests: true,
} as const satisfies ServerOptions

/** Sends an answer. A complete body leaves together with its head, in one system call. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body instanceof Readable) {
    response.writeHead(status, headers)
    sendStream(response, body)
  } else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
