import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { splitUrl } from '../../lib/http/query.ts'
import { isMalformed, PROBLEM_TYPE, problemDocument, securityHeaders } from '../../lib/http/respond.ts'
import { Problem, type ProblemCode, problemAnswer } from '../problems.ts'
import type { Answer } from '../route.ts'

/** The longest URL that a route can use has a tenth of these bytes. */
const MAX_URL_LENGTH = 4096

/**
 * A connection without a byte in either direction is closed after this time. A client that does not read its answer
 * holds the memory of the unread part.
 */
const STALLED_MS = 60_000

/** No route accepts a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Frameworks treat these characters differently: they decode them, cut the URL there, or leave them alone. */
const UNUSUAL = /[%#]|^[^/]/

/**
 * Returns the problem of a URL that was routed as `path`, or undefined. A URL is refused when it is too long, has a
 * fragment, which no client sends, or has a percent-encoding that is not UTF-8. The path must match without decoding.
 */
function objectionToUrl(url: string, path: string): ProblemCode | undefined {
  if (url.length > MAX_URL_LENGTH) return 'URL_TOO_LONG'
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

/**
 * The answer to a request that was routed as `path`, and that no route gets; undefined if nothing is wrong with it.
 * @param ofBody the problem of a request that has a body
 */
export function objectTo(
  request: IncomingMessage,
  path: string,
  ofBody: ProblemCode = 'CONTENT_TOO_LARGE',
): Answer | undefined {
  const ofHead = isMalformed(request) ? 'MALFORMED_REQUEST' : objectionToUrl(request.url as string, path)
  const code = ofHead ?? (hasBody(request) ? ofBody : undefined)
  return code && refuseWith(request, code)
}

/**
 * The answer to an invalid request. The connection is closed if a body follows, because nobody reads it, and if the
 * head is malformed, because a proxy and this server may then disagree about the start of the next request.
 */
function refuseWith(request: IncomingMessage, code: ProblemCode): Answer {
  const answer = problemAnswer(new Problem(code))
  const isLast = code === 'MALFORMED_REQUEST' || hasBody(request)
  return isLast ? { ...answer, headers: { ...answer.headers, connection: 'close' } } : answer
}

const PROBLEM_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

export interface Connections {
  /** After this call every answer closes its connection, so that clients connect to another process. */
  closeAfterAnswers(): void
}

/**
 * Sets the rules for connections that are the same in every framework: limits, and answers to requests that are not
 * HTTP.
 */
export function manageConnections(server: Server): Connections {
  server.setTimeout(STALLED_MS)
  // A client that sends `Expect: 100-continue` is answered at once, without a request for its body: no route accepts
  // one.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const { status, code, message } = new Problem(PROBLEM_OF_ERROR[error.code ?? ''] ?? 'MALFORMED_REQUEST')
    socket.end(rawResponse(status, problemDocument(status, code, message)))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    closeAfterAnswers() {
      const close = (response: ServerResponse) => response.setHeader('connection', 'close')
      server.prependListener('request', (_request, response) => close(response))
      // A client whose answer keeps the connection would send another request, which may meet its end.
      for (const socket of sockets) {
        const response = answerOf(socket)
        if (response && !response.headersSent) close(response)
      }
    },
  }
}

/** The answer to the request that a connection is serving. Node.js itself uses the same field. */
const answerOf = (socket: Duplex & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined =>
  socket._httpMessage ?? undefined

/** Whether an answer has begun: a second answer must not be written into it. */
const isAnswering = (socket: Duplex): boolean => answerOf(socket)?.headersSent ?? false

const rawResponse = (status: number, body: string) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
