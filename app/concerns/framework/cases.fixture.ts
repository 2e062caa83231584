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
  ...['OPTIONS', 'POST'].map(method => ({
    path: '/echo',
    method,
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    sent: { 'content-type': 'application/json' },
  })),
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
  })),
]

/**
 * Input that is not a request, or a request whose end the server does not wait for. The connection is closed after the
 * answer.
 */
export const malformed: readonly { readonly sent: string; readonly status: number; readonly code: string }[] =
  [
    { sent: 'this is not HTTP\r\n\r\n', status: 400, code: 'MALFORMED_REQUEST' },
    { sent: 'GET /echo HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', status: 400, code: 'MALFORMED_REQUEST' },
    {
      sent: 'GET /echo HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
      status: 400,
      code: 'MALFORMED_REQUEST',
    },
    {
      sent: 'GET /echo HTTP/1.1\r\nhost: a\r\ncontent-length: 10000000\r\n\r\nabc',
      status: 413,
      code: 'CONTENT_TOO_LARGE',
    },
    {
      sent: 'GET /echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n',
      status: 413,
      code: 'CONTENT_TOO_LARGE',
    },
    {
      sent: 'GET /echo HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n',
      status: 413,
      code: 'CONTENT_TOO_LARGE',
    },
    {
      sent: 'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\nabc',
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      sent: 'POST /echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nno length\r\n',
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      sent: `GET /echo HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
      code: 'HEADERS_TOO_LARGE',
    },
  ]
