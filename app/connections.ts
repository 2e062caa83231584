import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROBLEM_TYPE, problemDocument } from '../lib/respond.ts'
import { securityHeaders } from '../lib/security-headers.ts'
import { limitConnections } from './limits.ts'
import { Problem, type ProblemCode } from './problems.ts'

const PROBLEM_OF_ERROR: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** What concerns connections, and is the same whatever framework serves: limits, and requests that are not HTTP. */
export function manageConnections(server: Server): void {
  limitConnections(server)
  // Who asks before sending a body is answered at once, and has no need to.
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

/** Once called, every answer closes its connection, so that clients go elsewhere. */
export function closeConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
}

/** Whether an answer is on its way, into which another would be written; as Node.js itself finds out. */
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
