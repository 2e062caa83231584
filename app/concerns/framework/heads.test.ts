import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../../../lib/http/listen.ts'
import { createCalmService } from '../../../test/calm-service.ts'
import { type Implementation, implementations, namesOf } from '../../concerns.ts'
import { manageConnections } from '../../server/http-rules.ts'

const HOST = 'host: localhost'
const CLOSE = 'connection: close'
const GET = 'GET /echo HTTP/1.1'

/** This number of headers with short names, of which the first two are those above. */
const manyHeaders = (count: number) => [
  HOST,
  CLOSE,
  ...Array.from({ length: count - 2 }, (_, index) => `x${index}: 1`),
]
/** Headers that make the URL, the names and the values together as long as `bytes`. */
const longHeaders = (bytes: number) => {
  const others = '/echo'.length + [HOST, CLOSE].join('').replaceAll(': ', '').length + 'x'.length
  return [HOST, CLOSE, `x: ${'v'.repeat(bytes - others)}`]
}

/** Heads of requests with the expected status, the same for every framework. */
const heads: readonly (readonly [what: string, lines: readonly string[], status: number, code?: string])[] = [
  ['one Host header', [GET, HOST, CLOSE], 200],
  ['two Host headers', [GET, HOST, 'Host: other.example'], 400, 'MALFORMED_REQUEST'],
  ['the same Host header twice', [GET, HOST, HOST], 400, 'MALFORMED_REQUEST'],
  [
    'two Host headers and a path that is not there',
    ['GET /no HTTP/1.1', HOST, HOST],
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'two Host headers and a body',
    ['POST /echo HTTP/1.1', HOST, HOST, 'content-length: 9'],
    400,
    'MALFORMED_REQUEST',
  ],
  ['HTTP/1.0 without a Host header', ['GET /echo HTTP/1.0'], 200],
  ['no version', ['GET /echo'], 400, 'MALFORMED_REQUEST'],
  ['no version and a method that is not served', ['POST /echo'], 400, 'MALFORMED_REQUEST'],
  ['version 0.9', ['GET /echo HTTP/0.9', HOST], 400, 'MALFORMED_REQUEST'],
  ['version 2.0', ['GET /echo HTTP/2.0', HOST], 400, 'MALFORMED_REQUEST'],
  ['a thousand small headers', [GET, ...manyHeaders(1000)], 200],
  ['a thousand and one small headers', [GET, ...manyHeaders(1001)], 431, 'HEADERS_TOO_LARGE'],
  ['as many bytes as there may be', [GET, ...longHeaders(16_383)], 200],
  ['a byte more', [GET, ...longHeaders(16_384)], 431, 'HEADERS_TOO_LARGE'],
]

for (const name of namesOf('framework')) {
  describe(`framework/${name}`, () => {
    for (const [what, lines, status, code] of heads) {
      test(`answers a head with ${what} by ${status}`, async t => {
        const socket = connect(await start(t, name), '127.0.0.1')
        // The answer ends only when the connection is closed.
        socket.write(`${lines.join('\r\n')}\r\n\r\n`)
        const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
        if (code) assert.equal(JSON.parse(body).code, code)
      })
    }
  })
}

/** @returns the port */
async function start(t: TestContext, name: Implementation<'framework'>): Promise<number> {
  const routes = [{ path: '/echo', handle: () => ({ contentType: 'text/plain', body: 'echo' }) }]
  const { createHttpServer } = await implementations.framework[name]()
  const server = await createHttpServer(await createCalmService({ routes }))
  manageConnections(server)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return Number(new URL(await listen(server, '127.0.0.1', 0)).port)
}
