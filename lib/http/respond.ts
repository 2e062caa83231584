import type { IncomingMessage, ServerResponse } from 'node:http'

// Threads write problem documents, too. An import of node:http as an ES module would load all that it exports, also the parts that
// Node.js loads only when they are used (WebSocket and others), in each thread.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export function respond(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
}

export function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  respond(response, status, PROBLEM_TYPE, problemDocument(status, code, detail))
}

export const PAGE_TYPE = 'text/html; charset=utf-8'

/** A problem document (RFC 9457): `code` is stable and for programs, `detail` is for people. */
export function problemDocument(status: number, code: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail })
}

/** The strictest policy: nothing may be loaded, framed or sent, unless a page allows it. */
const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** A content security policy that allows only the directives in `allowed`. */
export const contentSecurityPolicy = (allowed: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...NOTHING, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/**
 * The headers of every answer: the usual defaults against framing, sniffing and foreign scripts, with a policy of our own.
 * They are a constant, because a middleware would set a dozen headers anew for each answer; a test compares them with a
 * middleware's.
 */
export const securityHeaders = Object.freeze({
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Browsers use this header only over TLS, which a proxy in front of this server may provide.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})

export const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Headers of files whose names change with their content. */
export const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' } as const

/**
 * Whether a request must get 400 although Node.js accepts it: its request line has no version or one other than
 * HTTP/1.1 and 1.0, or it has two Host headers (RFC 9112, 3 and 3.2). Node.js uses the first Host header, but a proxy
 * in front of this server may have used the second.
 */
export const isMalformed = ({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean =>
  httpVersionMajor !== 1 || hasTwoHosts(rawHeaders)

/** @param headers names and values in turns */
function hasTwoHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
