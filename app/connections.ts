import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROBLEM_TYPE, problemDocument } from '../lib/respond.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import { limitConnections } from './limits.ts'
import { limitPipelining } from './pipelining.ts'
import { Problem, type ProblemCode } from './problems.ts'

const PROBLEM_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/**
 * Sets the rules for connections that are the same in every framework: limits, and answers to requests that are not
 * HTTP.
 */
export function manageConnections(server: Server): void {
  limitConnections(server)
  limitPipelining(server)
  // A client that sends `Expect: 100-continue` is answered at once, without a request for its body: no route accepts
  // one.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.removeAllListeners('clientError')
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const { status, code, detail } = new Problem(PROBLEM_OF_ERROR[error.code ?? ''] ?? 'MALFORMED_REQUEST')
    socket.end(rawResponse(status, problemDocument(status, code, detail)))
  })
}

/** After this call every answer closes its connection, so that clients connect to another instance. */
export function closeConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
}

/** Whether an answer has begun: a second answer must not be written into it. Node.js itself uses the same field. */
const isAnswering = (socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent ?? false

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
