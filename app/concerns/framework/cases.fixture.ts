import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

interface Given {
  readonly method?: string
  readonly path: string
  readonly status: number
  readonly type?: string
  readonly body?: string
  readonly code?: string
  readonly headers?: IncomingHttpHeaders
  /** Headers of the request. */
  readonly sent?: OutgoingHttpHeaders
}

export const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM = 'application/problem+json; charset=utf-8'

/** Requests and their expected answers, the same for every framework. */
export const cases: readonly Given[] = [
  { path: '/echo', status: 200, type: JSON_TYPE, body: '{}' },
  { path: '/echo?a=1&b=x%20y', status: 200, type: JSON_TYPE, body: '{"a":"1","b":"x y"}' },
  { path: '/echo?a=1?b=2', status: 200, body: '{"a":"1?b=2"}' },
  { path: '/echo?a=1&a=2', status: 200, body: '{"a":["1","2"]}' },
  { path: '/echo?a[b]=1', status: 200, body: '{"a[b]":"1"}' },
  { path: '/echo?a=%e2%82%ac', status: 200, body: '{"a":"€"}' },
  { path: '/echo?__proto__=1', status: 200, body: '{"__proto__":"1"}' },
  { path: `/echo?${'&'.repeat(2000)}a=1`, status: 200, body: '{"a":"1"}' },
  { path: '/echo?a=1', status: 200, body: '{"a":"1"}', sent: { 'if-none-match': '*' } },
  { path: '/echo?%zz=1', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: '/echo?a=%ff', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: '/echo#a', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: '/echo?a=1#b', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  // One of the frameworks finds no path in this URL.
  { path: '/\\?@#', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: '/echo#a', method: 'HEAD', status: 400, type: PROBLEM, sent: { 'content-length': 1 } },
  { path: '/nowhere#a', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: '/%65cho', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/echo%2f', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/x/../echo', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '//echo', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/echo;a=1', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: 'http://other.example/echo?a=1', status: 200, body: '{"a":"1"}' },
  { path: 'ftp://other.example/echo', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/bytes', status: 200, type: 'application/x-protobuf', body: '\u0001\u0002' },
  { path: '/echo', method: 'HEAD', status: 200, type: JSON_TYPE, body: '' },
  { path: '/problem', status: 503, type: PROBLEM, code: 'NOT_READY', headers: { 'retry-after': '1' } },
  { path: '/bug', status: 500, type: PROBLEM, code: 'INTERNAL_ERROR' },
  { path: '/nowhere', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/echo/', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/ECHO', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/nowhere', method: 'POST', status: 404, type: PROBLEM, code: 'NOT_FOUND' },
  { path: '/%zz', status: 400, type: PROBLEM, code: 'MALFORMED_URL' },
  { path: `/echo?a=${'x'.repeat(5000)}`, status: 414, type: PROBLEM, code: 'URL_TOO_LONG' },
  { path: `/${'x'.repeat(5000)}`, status: 414, type: PROBLEM, code: 'URL_TOO_LONG' },
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map(method => ({
    path: '/echo',
    method,
    status: 405,
    type: PROBLEM,
    code: 'METHOD_NOT_ALLOWED',
    headers: { allow: 'GET, HEAD' },
    sent: { 'content-type': 'application/json' },
  })),
]

const get = (...lines: string[]) => ['GET /echo HTTP/1.1', ...lines].map(line => `${line}\r\n`).join('')
const CLOSE = 'connection: close'
/** Headers with short names, of which there are `count` with those before them. */
const manyHeaders = (count: number) =>
  get('host: a', CLOSE, ...Array.from({ length: count - 2 }, (_, index) => `x${index}: 1`))
/** Headers that make the URL, the names and the values together as long as `bytes`. */
const longHeaders = (bytes: number) =>
  get('host: a', CLOSE, `x: ${'v'.repeat(bytes - '/echohostaconnectionclosex'.length)}`)

/** Heads of requests, with the expected status, and the code of the problem if it is one. */
const heads = [
  [get('host: a', CLOSE), 200],
  [get('host: a', 'Host: other.example'), 400, 'MALFORMED_REQUEST'],
  [get('host: a', 'host: a'), 400, 'MALFORMED_REQUEST'],
  ['GET /no HTTP/1.1\r\nhost: a\r\nhost: a\r\n', 400, 'MALFORMED_REQUEST'],
  ['POST /echo HTTP/1.1\r\nhost: a\r\nhost: a\r\ncontent-length: 9\r\n', 400, 'MALFORMED_REQUEST'],
  ['GET /echo HTTP/1.0\r\n', 200],
  ['GET /echo\r\n', 400, 'MALFORMED_REQUEST'],
  ['POST /echo\r\n', 400, 'MALFORMED_REQUEST'],
  ['GET /echo HTTP/0.9\r\nhost: a\r\n', 400, 'MALFORMED_REQUEST'],
  ['GET /echo HTTP/2.0\r\nhost: a\r\n', 400, 'MALFORMED_REQUEST'],
  [manyHeaders(1000), 200],
  [manyHeaders(1001), 431, 'HEADERS_TOO_LARGE'],
  [longHeaders(16_383), 200],
  [longHeaders(16_384), 431, 'HEADERS_TOO_LARGE'],
  ['this is not HTTP\r\n', 400, 'MALFORMED_REQUEST'],
  [get('host: a', 'bad header'), 400, 'MALFORMED_REQUEST'],
  [get('host: a', 'content-length: x'), 400, 'MALFORMED_REQUEST'],
  [get('host: a', 'expect: 100-continue', 'content-length: 5'), 413, 'CONTENT_TOO_LARGE'],
] as const
/** Heads as above, each with a part of the body that it announces. */
const begun = [
  [get('host: a', 'content-length: 10000000'), 'abc', 413, 'CONTENT_TOO_LARGE'],
  [get('host: a', 'transfer-encoding: chunked'), '1\r\na\r\n', 413, 'CONTENT_TOO_LARGE'],
  ['POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n', 'abc', 405, 'METHOD_NOT_ALLOWED'],
  ['POST /echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n', 'no\r\n', 405, 'METHOD_NOT_ALLOWED'],
] as const

/** Bytes after whose answer the connection is closed: the server waits for no body. */
export const bytes: readonly (readonly [sent: string, status: number, code?: string])[] = [
  ...heads.map(([head, ...answer]) => [`${head}\r\n`, ...answer] as const),
  ...begun.map(([head, body, ...answer]) => [`${head}\r\n${body}`, ...answer] as const),
]
