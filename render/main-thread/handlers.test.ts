import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import { httpHandler } from './index.ts'

/** A renderer whose pages are the given pieces. */
const pages = { page: async (pieces: readonly unknown[]) => Readable.from(pieces.map(String)) }

async function serve(
  t: TestContext,
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const server = createServer((request, response) => void listener(request, response))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return listen(server, '127.0.0.1', 0)
}

for (const thrown of [new Error('on purpose'), 'text', undefined, {}, Object.create(null)])
  test(`a handler answers 500 if ${typeof thrown} is thrown, and 502 if its function says so`, async t => {
    t.mock.method(process, 'emitWarning', () => {})
    const compose = () => {
      throw thrown
    }
    const url = await serve(t, httpHandler(pages, compose))
    assert.equal((await fetch(url)).status, 500)
    const answer = (_error: unknown, _request: unknown, response: ServerResponse) =>
      response.writeHead(502).end()
    assert.equal((await fetch(await serve(t, httpHandler(pages, compose, answer)))).status, 502)
  })

test('a handler breaks off its answer if its function for errors throws or rejects', async t => {
  const warnings: unknown[] = []
  t.mock.method(process, 'emitWarning', (warning: unknown) => warnings.push(String(warning)))
  const compose = () => Promise.reject(new Error('first'))
  for (const answer of [
    () => {
      throw new Error('second')
    },
    () => Promise.reject(new Error('second')),
  ])
    await assert.rejects(fetch(await serve(t, httpHandler(pages, compose, answer))), TypeError)
  assert.deepEqual(warnings, ['Error: second', 'Error: second'])
})

test('a page of parts goes to a client of HTTP/2, too', async t => {
  const handler = httpHandler(pages, () => ['<p>', 'a', '</p>'])
  const server = createHttp2Server((request, response) => void handler(request as never, response as never))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => {
    client.destroy()
    server.close()
  })
  assert.equal(await text(client.request({ ':path': '/' }).end()), '<p>a</p>')
})
