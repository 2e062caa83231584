import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import { splitUrl } from '../lib/http/query.ts'
import type { ProblemCode } from './problems.ts'

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

/**
 * This is the default of Node.js; it is set here so that it stays as documented. A request with one more header is
 * answered with 431.
 */
const MAX_HEADERS = 1000
/** The longest URL that a route can use has a tenth of these bytes. */
const MAX_URL_LENGTH = 4096

/**
 * A connection without a byte in either direction is closed after this time. A client that does not read its answer
 * holds the memory of the unread part.
 */
const STALLED_MS = 60_000

export function limitConnections(server: Server): void {
  server.setTimeout(STALLED_MS)
  server.maxHeadersCount = MAX_HEADERS
}

export const isTooLong = (url: string): boolean => url.length > MAX_URL_LENGTH

/** No route accepts a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Frameworks treat these characters differently: they decode them, cut the URL there, or leave them alone. */
const UNUSUAL = /[%#]|^[^/]/

/**
 * Returns the problem of a URL that was routed as `path`, or undefined. A URL is refused when it is too long, has a
 * fragment, which no client sends, or has a percent-encoding that is not UTF-8. The path must match without decoding.
 */
export function objectionToUrl(url: string, path: string): ProblemCode | undefined {
  if (isTooLong(url)) return 'URL_TOO_LONG'
  if (!UNUSUAL.test(url)) return undefined
  if (url.includes('#') || !isDecodable(url)) return 'MALFORMED_URL'
  return splitUrl(url)[0] === path ? undefined : 'NOT_FOUND'
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
