import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, IncomingMessage, request, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import helmet from 'helmet'
import { guardServer } from './guard.ts'
import { listen } from './listen.ts'
import { respond, securityHeaders } from './respond.ts'

async function start(
  t: TestContext,
  listener: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => {
    respond(response, 200, 'text/plain', 'served')
  },
) {
  const server = createServer(listener)
  guardServer(server, ['apm-agent'])
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  const ask = async (method: string, headers: Readonly<Record<string, string>>) => {
    const [response] = await once(request(url, { method, headers }).end(), 'response')
    return response as IncomingMessage
  }
  return Object.assign(ask, { port: Number(new URL(url).port) })
}

const hosts: Readonly<Record<string, number>> = {
  localhost: 200,
  'LOCALHOST:4318': 200,
  'app.localhost:1': 200,
  '127.0.0.1:4318': 200,
  '192.168.0.7': 200,
  '[::1]:4318': 200,
  'apm-agent:4318': 200,
  'evil.example': 421,
  'localhost.evil.example:4318': 421,
  '127.0.0.1.evil.example': 421,
  'notlocalhost:4318': 421,
  '[evil.example]': 421,
  'localhost:4318@evil.example': 421,
}
for (const [host, status] of Object.entries(hosts)) {
  test(`a request with the host "${host}" is answered with ${status}`, async t => {
    const ask = await start(t)
    const response = await ask('GET', { host })
    assert.equal(response.statusCode, status)
    for (const [name, value] of Object.entries(securityHeaders)) assert.equal(response.headers[name], value)
  })
}

const senders: readonly [method: string, headers: Readonly<Record<string, string>>, status: number][] = [
  ['POST', {}, 200],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:1' }, 200],
  ['POST', { 'sec-fetch-site': 'cross-site' }, 403],
  ['PUT', { 'sec-fetch-site': 'same-site' }, 403],
  ['GET', { 'sec-fetch-site': 'cross-site' }, 200],
  ['POST', { origin: 'http://localhost:1' }, 200],
  ['POST', { origin: 'http://localhost:2' }, 403],
  ['DELETE', { origin: 'https://evil.example' }, 403],
  ['POST', { origin: 'null' }, 403],
]
for (const [method, headers, status] of senders) {
  test(`answers ${method} with ${JSON.stringify(headers)} by ${status}`, async t => {
    const ask = await start(t)
    const response = await ask(method, { host: 'localhost:1', ...headers })
    assert.equal(response.statusCode, status)
  })
}

for (const head of ['GET / HTTP/1.1\r\nhost: localhost\r\nHost: evil.example', 'GET /\r\nhost: localhost']) {
  test(`answers ${JSON.stringify(head)} by 400, and closes the connection`, async t => {
    const ask = await start(t)
    const socket = connect(ask.port, '127.0.0.1')
    socket.write(`${head}\r\n\r\n`)
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.match(answer, /"code":"MALFORMED_REQUEST"/)
  })
}

test('a listener that throws fails one request, and the client gets no details', async t => {
  const write = t.mock.method(process.stderr, 'write', () => true)
  const ask = await start(t, () => Promise.reject(new Error('secret')))
  const response = await ask('GET', {})
  assert.equal(response.statusCode, 500)
  assert.doesNotMatch(JSON.stringify(await json(response)), /secret|\.ts/)
  assert.match(String(write.mock.calls[0]?.arguments[0]), /secret/)
})

test('the headers are the defaults of Helmet, with a policy that is stricter', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet()(response.req, response, () => {})
  const { 'content-security-policy': theirs, ...defaults } = response.getHeaders()
  const { 'content-security-policy': ours, ...others } = securityHeaders
  assert.deepEqual(others, { ...defaults })
  assert.match(String(theirs), /^default-src 'self'/)
  assert.match(ours, /^default-src 'none'/)
})
