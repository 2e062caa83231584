import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { securityHeaders } from '../../../lib/http/respond.ts'
import { serve } from '../../../test/calm-service.ts'
import { type Implementation, namesOf } from '../../concerns.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { Route } from '../../route.ts'
import { type Closing, startOnce } from '../../test-options.fixture.ts'
import { bytes, cases, JSON_TYPE } from './cases.fixture.ts'

for (const name of namesOf('framework')) {
  describe(`framework/${name}`, () => {
    const started = startOnce(suite => start(suite, name))
    for (const { method = 'GET', path, status, type, body, code, headers, sent } of cases) {
      test(`answers ${method} ${path.slice(0, 40)} with ${status}`, async () => {
        const answer = await ask(started().url, method, path, sent)
        assert.equal(answer.status, status, answer.body)
        if (type) assert.equal(answer.headers['content-type'], type)
        if (body !== undefined) assert.equal(answer.body, body)
        if (code) assert.deepEqual(pickProblem(answer.body), { type: 'about:blank', status, code })
        for (const [header, value] of Object.entries({ ...securityHeaders, ...headers }))
          assert.equal(answer.headers[header], value)
        assert.equal(answer.headers['x-powered-by'], undefined)
        assert.equal(answer.headers.etag, undefined)
      })
    }

    for (const [sent, status, code] of bytes) {
      test(`answers the bytes ${JSON.stringify(sent.slice(0, 60))}, ${sent.length} in all, with ${status}`, async () => {
        const socket = connect(started().port, '127.0.0.1')
        socket.write(sent)
        const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
        for (const [header, value] of Object.entries(securityHeaders))
          assert.ok(head.includes(`${header}: ${value}`), head)
        if (code) assert.deepEqual(pickProblem(body), { type: 'about:blank', status, code })
      })
    }

    for (const sent of ['GET /echo HTTP/1.1\r\nhost: a\r\n', 'G']) {
      test(`answers the incomplete head ${JSON.stringify(sent)} with 408`, async t => {
        const { port, server } = await start(t, name)
        Object.assign(server, { headersTimeout: 10, requestTimeout: 10 })
        const socket = connect(port, '127.0.0.1')
        socket.write(sent)
        const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
        assert.match(head, /^HTTP\/1.1 408 /)
        assert.deepEqual(pickProblem(body), { type: 'about:blank', status: 408, code: 'REQUEST_TIMEOUT' })
      })
    }

    test('reports a bug to the client without details', async () => {
      const { body } = await ask(started().url, 'GET', '/bug')
      assert.doesNotMatch(body, /secret|\.ts|node_modules/)
    })

    test('notifies the request when its client goes away', async () => {
      const { url, nextContext } = started()
      const waiting = request(`${url}/wait`).on('error', () => {})
      waiting.end()
      const context = await nextContext()
      const gone = new Promise<void>(resolve => context.onGone(resolve))
      assert.equal(context.gone, false)
      waiting.destroy()
      await gone
      assert.equal(context.gone, true)
    })

    test('uses the request id of the client only if it is plain text', async () => {
      const { url, nextContext } = started()
      for (const [given, honoured] of [
        ['abc-1', true],
        ['a b', false],
        ['x'.repeat(65), false],
      ] as const) {
        const answered = fetch(`${url}/context`, { headers: { 'x-request-id': given } })
        const { requestId } = await nextContext()
        await answered
        assert.equal(requestId === given, honoured, given)
      }
    })
  })
}

async function start(t: Closing, name: Implementation<'framework'>) {
  const arrived = new EventEmitter<{ context: [RequestContext] }>()
  const served = await serve(t, name, { routes: routesFor(context => arrived.emit('context', context)) })
  return { ...served, nextContext: async () => (await once(arrived, 'context'))[0] as RequestContext }
}

const routesFor = (arrive: (context: RequestContext) => void): Route[] => [
  { path: '/echo', handle: raw => ({ contentType: JSON_TYPE, body: JSON.stringify(raw) }) },
  { path: '/bytes', handle: () => ({ contentType: 'application/x-protobuf', body: Buffer.from([1, 2]) }) },
  {
    path: '/problem',
    handle: () => {
      throw new Problem('NOT_READY')
    },
  },
  { path: '/bug', handle: () => Promise.reject(new Error('secret')) },
  {
    path: '/wait',
    handle: (_raw, context) => {
      arrive(context)
      return new Promise(resolve => context.onGone(() => resolve({ contentType: JSON_TYPE, body: '{}' })))
    },
  },
  {
    path: '/context',
    handle: (_raw, context) => {
      arrive(context)
      return { contentType: JSON_TYPE, body: '{}' }
    },
  },
]

/** Uses node:http, because `fetch` would correct these requests before it sends them. */
async function ask(url: string, method: string, path: string, headers: OutgoingHttpHeaders = {}) {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path, method, headers }).end()
  const [response] = await once(sent, 'response')
  return {
    status: response.statusCode,
    headers: response.headers as IncomingHttpHeaders,
    body: await text(response),
  }
}

function pickProblem(body: string) {
  const { type, status, code } = JSON.parse(body)
  return { type, status, code }
}
