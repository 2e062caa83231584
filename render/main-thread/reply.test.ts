import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  createRenderer,
  type PageHead,
  type PageRequest,
  type PageSink,
  type PageThreads,
  type PageTimes,
  type Renderer,
} from './index.ts'
import { respondTo } from './respond.ts'
import { serve, servers } from './servers.fixture.ts'

let renderer: Renderer
const ended: PageTimes[] = []
let onEnd = () => {}

before(async () => {
  renderer = await createRenderer({
    app: new URL('./renderer.fixture.ts', import.meta.url),
    threads: 1,
    workerPriority: 0,
    onError() {},
    onPage(times) {
      ended.push(times)
      onEnd()
    },
  })
})
after(() => renderer.close())

for (const [name, start] of Object.entries(servers))
  describe(`a page for ${name}`, () => {
    async function startAsking(t: TestContext) {
      const url = await start(t, renderer, { nonce: 'N1' })
      const head = async (path: string, options?: RequestInit) => {
        const response = await fetch(url + path, { redirect: 'manual', ...options })
        const { status, headers } = response
        return { status, headers, body: await response.text() }
      }
      return { url, head }
    }

    test('has its status and headers, and no body for HEAD, or with a status that allows none', async t => {
      const { head } = await startAsking(t)
      const { status, headers, body } = await head('/missing')
      assert.deepEqual([status, headers.get('x-kind')], [404, 'missing'])
      assert.equal(headers.get('content-length'), String(body.length))
      assert.match(body, /^<!DOCTYPE html>.*nonce="N1"/)
      const redirect = await head('/redirect')
      assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/elsewhere'])
      const hello = await head('/hello', { method: 'HEAD' })
      assert.deepEqual(
        [hello.status, hello.headers.get('content-type'), hello.body],
        [200, 'text/html; charset=utf-8', ''],
      )
      assert.ok(Number(hello.headers.get('content-length')) > 0)
      // `load` has left out the body; Fastify sets a length of its own.
      if (name !== 'Fastify')
        assert.equal((await head('/redirect', { method: 'HEAD' })).headers.get('content-length'), null)
      const none = await head('/no-content')
      assert.deepEqual([none.status, none.headers.get('content-length'), none.body], [204, null, ''])
    })

    test('is an error of the framework if there is no shell, or HTTP does not allow its head', async t => {
      const { head } = await startAsking(t)
      const statuses = { '/throws': 500, '/bad-gateway': 502, '/bad-header': 500, '/bad-status': 500 }
      for (const [path, status] of Object.entries(statuses))
        assert.equal((await head(path)).status, status, path)
    })

    test('is given up when the client leaves before it is there', async t => {
      const { url, head } = await startAsking(t)
      const before = ended.length
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      await once(socket, 'connect')
      socket.write('GET /never-loads HTTP/1.1\r\nhost: x\r\n\r\n')
      // The page is in its thread once another one has been there and back.
      await head('/hello')
      assert.equal(ended.length, before + 1)
      const left = Promise.withResolvers<void>()
      onEnd = () => left.resolve()
      socket.destroy()
      await left.promise
      assert.equal(ended.at(-1)?.status, 0)
    })
  })

test('a page for node:http is read as fast as the client reads', async t => {
  const props = { text: 'x'.repeat(4e6) }
  const url = await serve(t, (request, response) => renderer.reply(request, response, { props }))
  const [response] = (await once(get(`${url}/hello`), 'response')) as [IncomingMessage]
  let length = 0
  for await (const chunk of response) length += chunk.length
  assert.ok(length > 4e6)
})

describe('a page for a web request', () => {
  test('is a response', async () => {
    const response = await renderer.respond(new Request('http://example/missing?x=1'), { nonce: 'N1' })
    assert.deepEqual([response.status, response.headers.get('x-kind')], [404, 'missing'])
    assert.match(await response.text(), /^<!DOCTYPE html>.*nonce="N1"/)
    const redirect = await renderer.respond(new Request('http://example/redirect'))
    assert.deepEqual(
      [redirect.status, redirect.headers.get('location'), await redirect.text()],
      [302, '/elsewhere', ''],
    )
  })

  test('has no body with a status that allows none, and rejects if there is no shell', async () => {
    const { status, body } = await renderer.respond(new Request('http://example/no-content'))
    assert.deepEqual([status, body], [204, null])
    await assert.rejects(renderer.respond(new Request('http://example/bad-status')), { statusCode: 500 })
    await assert.rejects(renderer.respond(new Request('http://example/bad-gateway')), { statusCode: 502 })
  })

  test('is given up when its body is cancelled', async () => {
    const left = Promise.withResolvers<void>()
    const { promise: late } = Promise.withResolvers<string>()
    const response = await renderer.respond(new Request('http://example/late'), { props: { late } })
    onEnd = () => left.resolve()
    await response.body?.cancel()
    await left.promise
  })
})

test('a web client that reads nothing is sent no more than a stream holds, and the rest stays in the thread', async () => {
  const chunkBytes = 16 * 1024
  let [consumed, wasRead] = [0, 0]
  const { promise: asked, resolve: ask } = Promise.withResolvers<PageSink>()
  const open = (_: PageRequest, sink: PageSink) => {
    ask(sink)
    return {
      consumed(bytes: number) {
        consumed += bytes
      },
      leave() {},
    }
  }
  const answer = respondTo({ open } as Pick<PageThreads, 'open'>, new Request('http://example/'), {}, 0)
  const sink = await asked
  sink.start({ status: 200, headers: {} } as PageHead)
  const { body } = await answer
  for (let chunk = 0; chunk < 20; chunk++) {
    sink.chunk(new Uint8Array(chunkBytes), chunk === 19)
    await turn()
  }
  assert.ok(consumed <= 64 * 1024, `${consumed} bytes of ${20 * chunkBytes}`)
  for await (const { length } of body as ReadableStream<Uint8Array>) wasRead += length
  assert.equal(wasRead, 20 * chunkBytes)
})
