import type { ServerResponse } from 'node:http'

// Threads write problem documents, too. An import of node:http as an ES module would load all that it exports, also the parts that
// Node.js loads only when they are used (WebSocket and others), in each thread.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Sends a complete answer. */
export function respond(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** Sends a problem document. */
export function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  respond(response, status, PROBLEM_TYPE, problemDocument(status, code, detail))
}

/** A problem document (RFC 9457): `code` is stable and for programs, `detail` is for people. */
export function problemDocument(status: number, code: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail })
}
