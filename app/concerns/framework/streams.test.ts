import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { serve } from '../../../test/calm-service.ts'
import { type Implementation, namesOf } from '../../concerns.ts'
import type { RequestContext } from '../../context.ts'
import type { RouteAnswer } from '../../route.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const CHUNKS = 1000
/** Longer than any answer takes on a busy machine: a body that stops arriving would never end. */
const PATIENCE_MS = 20_000
const REQUEST = 'GET /stream HTTP/1.1\r\nhost: a\r\n\r\n'

const asAnswer = (body: Readable): RouteAnswer => ({
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-given': 'yes' },
  body,
})

/** A body of many chunks that counts the chunks that were read from it. */
function endless() {
  const produced = { chunks: 0 }
  const body = new Readable({
    read() {
      this.push(produced.chunks++ < CHUNKS ? CHUNK : null)
    },
  })
  return { body, produced }
}

const start = (
  t: TestContext,
  name: Implementation<'framework'>,
  answer: (context: RequestContext) => Promise<RouteAnswer>,
) => serve(t, name, { routes: [{ path: '/stream', handle: (_query, context) => answer(context) }] })

for (const name of namesOf('framework')) {
  describe(`framework/${name}, a body that is a stream`, () => {
    test('arrives chunk by chunk, with its headers', async t => {
      const body = new Readable({ read() {} })
      const { url, service } = await start(t, name, async () => asAnswer(body))
      const asked = request(`${url}/stream`).end()
      body.push('one')
      const [response] = await once(asked, 'response')
      assert.equal(response.headers['x-given'], 'yes')
      assert.equal(String((await once(response, 'data'))[0]), 'one')
      body.push('two')
      body.push(null)
      assert.equal(await text(response), 'two')
      await service.running.idle()
    })

    test('arrives whole when more than a buffer of it is ready in one turn', async t => {
      const pieces = Array.from({ length: 3 }, () => CHUNK)
      const { url } = await start(t, name, async () => asAnswer(Readable.from(pieces, { highWaterMark: 3 })))
      const response = await fetch(`${url}/stream`, { signal: AbortSignal.timeout(PATIENCE_MS) })
      assert.equal((await response.bytes()).length, pieces.length * CHUNK.length)
    })

    test('is not sent for HEAD, and is destroyed', async t => {
      const { body, produced } = endless()
      const { url, service } = await start(t, name, async () => asAnswer(body))
      const response = await fetch(`${url}/stream`, { method: 'HEAD' })
      assert.equal(response.headers.get('x-given'), 'yes')
      await service.running.idle()
      assert.ok(body.destroyed)
      assert.ok(produced.chunks < CHUNKS, `${produced.chunks} chunks were made`)
    })

    test('is not read faster than the client reads, and delays no other request', async t => {
      const { body, produced } = endless()
      const { url, port } = await start(t, name, async () => asAnswer(body))
      const paused = once(body, 'pause')
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.pause().write(REQUEST)
      await paused
      assert.equal((await fetch(`${url}/nowhere`)).status, 404)
      assert.ok(produced.chunks < CHUNKS, `${produced.chunks} chunks were made`)
      socket.destroy()
      if (!body.closed) await once(body, 'close')
    })

    for (const when of ['before it begins', 'in the middle of it'])
      test(`is destroyed when its client leaves ${when}`, async t => {
        const { body, produced } = endless()
        const asked = Promise.withResolvers<void>()
        const { port, service } = await start(t, name, async context => {
          const gone = new Promise<void>(resolve => context.onGone(resolve))
          asked.resolve()
          if (when === 'before it begins') await gone
          return asAnswer(body)
        })
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        socket.write(REQUEST)
        await (when === 'before it begins' ? asked.promise : once(socket, 'data'))
        socket.destroy()
        if (!body.closed) await once(body, 'close')
        await service.running.idle()
        assert.ok(produced.chunks < CHUNKS, `${produced.chunks} chunks were made`)
      })

    test('ends the connection when it breaks, because a client could not tell that the body is incomplete', async t => {
      const body = new Readable({ read() {} })
      const { url } = await start(t, name, async () => asAnswer(body))
      const asked = request(`${url}/stream`).end()
      body.push('one')
      const [response] = await once(asked, 'response')
      await once(response, 'data')
      body.destroy(new Error('broken'))
      await assert.rejects(text(response), { code: 'ECONNRESET' })
    })
  })
}
