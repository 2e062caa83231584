import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import express from 'express'
import fastify from 'fastify'
import {
  createRenderer,
  type PageHead,
  type PageRequest,
  type PageSink,
  type PageThreads,
  type PageTimes,
  type RenderError,
  type Renderer,
} from './index.ts'
import { respondTo } from './respond.ts'
import { quietExpress, serve, serveFastify, servers } from './servers.fixture.ts'

let renderer: Renderer
const errors: RenderError[] = []
const ended: PageTimes[] = []
let onEnd = () => {}

before(async () => {
  renderer = await createRenderer({
    app: new URL('./renderer.fixture.ts', import.meta.url),
    threads: 1,
    workerPriority: 0,
    bodyLimitBytes: 1000,
    windowBytes: 4096,
    onError: error => errors.push(error),
    onPage(times) {
      ended.push(times)
      onEnd()
    },
  })
})
after(() => renderer.close())

const post = (body: NonNullable<RequestInit['body']>, type?: string): RequestInit => ({
  method: 'POST',
  body,
  ...(type !== undefined && { headers: { 'content-type': type } }),
})

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

    test('gives load the body of its request, unless that is too large', async t => {
      const { url, head } = await startAsking(t)
      const form = await head('/body', post(new URLSearchParams('a=1&b=é&a=2')))
      assert.match(form.body, new RegExp(`<p>POST ${url}/body (a=1&amp;b=|a=1&amp;a=2&amp;b=)%C3%A9`))
      const json = await head('/body', post('{"a":[1,{"b":2}]}', 'application/json; charset=utf-8'))
      assert.match(json.body, /\{&quot;a&quot;:\[1,\{&quot;b&quot;:2\}\]\}<\/p>/)
      assert.match((await head('/body', { method: 'POST' })).body, /\/body <\/p>/)
      const { status } = await head('/body', post(new URLSearchParams({ a: 'x'.repeat(1000) })))
      // A parser that has read the body has its own limit.
      assert.equal(status, name.includes('parsers') ? 200 : 413)
    })

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
  assert.ok((await text(response)).length > 4e6)
})

test('a body that ends too early makes no page', async t => {
  const ended = Promise.withResolvers<void>()
  const url = await serve(t, (request, response) => renderer.reply(request, response).then(ended.resolve))
  const before = errors.length
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /throws HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf')
  socket.end()
  await ended.promise
  assert.equal(errors.length, before)
})

test('a body that a parser of forms with objects has taken is an error when load reads it', async t => {
  const app = quietExpress().use(express.urlencoded({ extended: true }))
  const url = await serve(
    t,
    app.use((request, response) => renderer.reply(request, response)),
  )
  assert.equal((await fetch(`${url}/body`, post(new URLSearchParams({ 'a[b]': '1' })))).status, 500)
  assert.match(String(errors.at(-1)?.cause), /was read before/)
  assert.equal((await fetch(`${url}/hello`, post(new URLSearchParams({ 'a[b]': '1' })))).status, 200)
})

describe('a web request', () => {
  test('gives load its URL and its body, and has a response, without a body where none is allowed', async () => {
    const posted = await renderer.respond(new Request('https://shop.example/body', post('a=1')))
    assert.match(await posted.text(), /<p>POST https:\/\/shop\.example\/body a=1<\/p>/)
    const missing = await renderer.respond(new Request('http://example/missing?x=1'), { nonce: 'N1' })
    assert.deepEqual([missing.status, missing.headers.get('x-kind')], [404, 'missing'])
    assert.match(await missing.text(), /^<!DOCTYPE html>.*nonce="N1"/)
    const redirect = await renderer.respond(new Request('http://example/redirect'))
    assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/elsewhere'])
    const { status, body } = await renderer.respond(new Request('http://example/no-content'))
    assert.deepEqual([status, body], [204, null])
  })

  test('is given up when its body is cancelled', async () => {
    const left = Promise.withResolvers<void>()
    const { promise: late } = Promise.withResolvers<string>()
    const response = await renderer.respond(new Request('http://example/late'), { props: { late } })
    onEnd = () => left.resolve()
    await response.body?.cancel()
    await left.promise
  })

  test('rejects if there is no shell, with an answer for Hono, or if its body is too large, or fails', async () => {
    await assert.rejects(renderer.respond(new Request('http://example/bad-status')), { statusCode: 500 })
    const failed = await renderer.respond(new Request('http://example/bad-gateway')).catch(error => error)
    assert.deepEqual([failed.statusCode, failed.getResponse().status], [502, 502])
    const ask = (init: RequestInit) => renderer.respond(new Request('https://shop.example//body', init))
    await assert.rejects(ask(post('x'.repeat(1001))), { code: 'BODY_TOO_LARGE', statusCode: 413 })
    const failing = new ReadableStream({ pull: controller => controller.error(new Error('cut on purpose')) })
    await assert.rejects(ask({ method: 'POST', body: failing, duplex: 'half' }), { code: 'BODY_NOT_READ' })
  })
})

describe('headers that were set before', () => {
  const cookies = ['session=1', 'theme=dark', 'size=2']
  const check = async (url: string) => {
    const { headers } = await fetch(`${url}/lists`)
    assert.deepEqual(headers.getSetCookie(), cookies)
    assert.deepEqual([headers.get('vary'), headers.get('x-before')], ['origin, accept-language', '1'])
  }

  test('stay in the lists of a response', async t => {
    await check(
      await serve(t, (request, response) => {
        response.setHeader('set-cookie', 'session=1').setHeader('vary', 'origin').setHeader('x-before', '1')
        return renderer.reply(request, response)
      }),
    )
  })

  test('stay in the lists of a reply of Fastify, whose onSend hooks may add some', async t => {
    const app = fastify()
    app.addHook('onRequest', async (_, reply) => {
      reply.header('set-cookie', 'session=1').header('vary', 'origin').header('x-before', '1')
    })
    app.addHook('onSend', async (_, reply) => {
      reply.header('x-hook', String(reply.getHeader('content-type')))
    })
    const url = await serveFastify(t, renderer, {}, app)
    await check(url)
    assert.equal((await fetch(`${url}/hello`)).headers.get('x-hook'), 'text/html; charset=utf-8')
    assert.equal((await app.inject('/hello')).statusCode, 200)
  })
})

/** Keeps what is written, calls no callback, says that it is full, and never says that it is not. */
function replaceWrites(response: ServerResponse, kept: Uint8Array[]): void {
  const { write, end } = response
  response.write = (chunk: Uint8Array) => {
    kept.push(chunk)
    write.call(response, chunk, 'utf8')
    return false
  }
  response.end = ((chunk: Uint8Array) => {
    kept.push(chunk)
    return end.call(response, chunk, 'utf8')
  }) as ServerResponse['end']
  const { emit } = response
  response.emit = (name: string, ...args: unknown[]) => name !== 'drain' && emit.call(response, name, ...args)
}

test('a page ends behind middleware that replaces write and end, which may keep what it got', async t => {
  const kept: Uint8Array[] = []
  const url = await serve(t, (request, response) => {
    replaceWrites(response, kept)
    const [late, later] = ['x', 'z'].map(letter => turn(letter.repeat(20_000)))
    return renderer.reply(request, response, { props: { text: 'y'.repeat(20_000), late, later } })
  })
  const page = await (await fetch(`${url}/late`)).text()
  assert.match(page, /<b>x{20000}<\/b>.*<b>z{20000}<\/b>.*<\/html>$/s)
  assert.equal(Buffer.concat(kept).toString(), page)
})

test('what compression holds back is flushed with every part of a page', async t => {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const url = await serve(t, (request, response) => {
    Object.assign(response, { flush: () => resolve('it came') })
    return renderer.reply(request, response, { props: { late } })
  })
  assert.match(await (await fetch(`${url}/late`)).text(), /it came/)
})

test('the URL of a page is the whole one, wherever Express has mounted its router', async t => {
  const router = express.Router().use((request, response) => renderer.reply(request, response))
  const url = await serve(t, quietExpress().use('/body', router))
  assert.match(await (await fetch(`${url}/body?a=1`)).text(), new RegExp(`<p>GET ${url}/body\\?a=1`))
})

test('an answer that somebody else has given stays as it is', async t => {
  const url = await serve(t, (request, response) => {
    const replied = renderer.reply(request, response)
    response.writeHead(503).end('too late')
    return replied
  })
  const answer = await fetch(`${url}/hello`)
  assert.deepEqual([answer.status, await answer.text()], [503, 'too late'])
})

test('the handler of errors of Express gets the error, whatever becomes of the promise of a handler', async t => {
  const app = quietExpress().use((request, response) => void renderer.reply(request, response))
  app.use(((error, _request, response, _next) => {
    response.status(error.statusCode).send(error.stack)
  }) as express.ErrorRequestHandler)
  const answer = await fetch(`${await serve(t, app)}/bad-gateway`)
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /upstream is down\n +at load .*renderer\.fixture/)
})

test('HTTP/2 has pages, too', async t => {
  const server = createHttp2Server((request, response) => void renderer.reply(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connectHttp2(`http://127.0.0.1:${port}`)
  t.after(() => {
    client.destroy()
    server.close()
  })
  const ask = async (headers: Record<string, string>, body?: string) => {
    const stream = client.request(headers)
    stream.end(body)
    const [head] = await once(stream, 'response')
    return { status: head[':status'], page: await text(stream) }
  }
  const hello = await ask({ ':path': '/body' })
  assert.match(hello.page, new RegExp(`<p>GET http://127\\.0\\.0\\.1:${port}/body`))
  const posted = await ask({ ':path': '/body', ':method': 'POST' }, 'a=1')
  assert.match(posted.page, /a=1<\/p>/)
  assert.equal((await ask({ ':path': '/bad-gateway' })).status, 502)
})

test('something that is no response is refused', () => {
  assert.throws(
    () => renderer.reply({ url: '/' }, {} as ServerResponse),
    /^TypeError: reply expects a response/,
  )
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
