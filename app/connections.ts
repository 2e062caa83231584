import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PROBLEM_TYPE, problemDocument, securityHeaders } from '../lib/http/respond.ts'
import { limitConnections } from './http-limits.ts'
import { Problem, type ProblemCode } from './problems.ts'

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
  limitConnections(server)
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
