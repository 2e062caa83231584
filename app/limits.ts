import type { IncomingMessage, Server, ServerOptions } from 'node:http'

/** The same for every framework: what a connection may send, and how long it may take to. */
export const serverLimits = {
  /** Bytes of the URL and of the names and values of all headers; what stands between them is not counted. */
  maxHeaderSize: 16_384,
  /** Milliseconds for the headers of a request, and for all of it. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** Milliseconds that a connection may be idle: longer than a balancer's usual 60 s, so that it closes first. */
  keepAliveTimeout: 65_000,
  /** How often, in milliseconds, connections are looked at for the two above. */
  connectionsCheckingInterval: 1000,
} as const satisfies ServerOptions

/** Each holds about 20 KB while it is idle. */
const MAX_CONNECTIONS = 4096
/** Node.js's default, so that it stays what the documents say. One more is answered with 431. */
const MAX_HEADERS = 1000
/** Bytes; the longest URL that a route has a use for takes a tenth. */
const MAX_URL_LENGTH = 4096

/** Without a byte in either direction: a client that does not take its answer holds the memory of what it has not taken. */
const STALLED_MS = 60_000

export function limitConnections(server: Server): void {
  server.setTimeout(STALLED_MS)
  server.maxConnections = MAX_CONNECTIONS
  server.maxHeadersCount = MAX_HEADERS
}

export const isTooLong = (url: string): boolean => url.length > MAX_URL_LENGTH

/** No route takes one. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
