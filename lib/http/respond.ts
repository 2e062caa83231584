import type { IncomingMessage, ServerResponse } from 'node:http'

// Threads write problem documents, too. An import of node:http as an ES module would load all that it exports, also the parts that
// Node.js loads only when they are used (WebSocket and others), in each thread.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Sends a complete answer. */
export function respond(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** Sends a problem document, or a page to somebody who has mistyped a path in a browser. */
export function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  if (status !== 404 || !isNavigation(response.req))
    return respond(response, status, PROBLEM_TYPE, problemDocument(status, code, detail))
  response.setHeader('vary', 'accept')
  respond(response, status, PAGE_TYPE, notFoundPage(detail))
}

/** Whether a browser goes to a page: it then names HTML first and without a `q`, unlike scripts and other clients. */
export const isNavigation = ({ headers }: IncomingMessage): boolean =>
  /^text\/html(,|$)/.test(headers.accept ?? '')

export const PAGE_TYPE = 'text/html; charset=utf-8'

/** A page for a path that does not exist. @param detail plain text that does not come from the request */
export const notFoundPage = (detail: string): string => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found</title>
<main>
<h1>There is nothing at this address</h1>
<p>${detail[0]?.toUpperCase()}${detail.slice(1)}.</p>
</main>
</html>
`

/** A problem document (RFC 9457): `code` is stable and for programs, `detail` is for people. */
export function problemDocument(status: number, code: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail })
}
