import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { startPageApp } from './page-app.ts'

const MIB = 2 ** 20
/** So many large pages on one connection are more than the kernel buffers between two sockets. */
const LARGE_PAGES = 8

/** A client that requests large pages and reads nothing. */
function readNothing(t: TestContext, url: string): Socket {
  const socket = open(t, url)
  socket.pause().write('GET /page?orders=2000 HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(LARGE_PAGES))
  return socket
}

/** A client that reads one kilobyte on each call. */
function readOnDemand(t: TestContext, url: string) {
  const socket = open(t, url).pause()
  socket.write('GET /page HTTP/1.1\r\nhost: a\r\n\r\n')
  return () => socket.read(Math.min(1024, socket.readableLength))
}

function open(t: TestContext, url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  return socket
}

describe('slow clients', () => {
  test('hold only their own pages, and above the limit further requests are refused', async t => {
    const app = await startPageApp(t, { pageMemoryMib: 2 })
    const slow: Socket[] = []
    let refused = await app.ask('/page?orders=0')
    while (refused.statusCode === 200) {
      await refused.resume().toArray()
      slow.push(readNothing(t, app.url))
      assert.ok(slow.length < 100, 'there is a bound')
      refused = await app.ask('/page?orders=0')
    }
    assert.equal(refused.statusCode, 503)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(JSON.parse(await text(refused)).code, 'OVERLOADED')
    const heldMib = (await app.readHeldBytes()) / MIB
    // The bound is exceeded by one page at most, because a page counts from its admission on.
    assert.ok(heldMib < 2 + 1.5, `${heldMib} MiB of ${slow.length} clients`)
    assert.equal((await app.ask('/healthz')).statusCode, 200)

    for (const socket of slow) socket.destroy()
    await app.service.running.idle()
    // Parts run first in, first out: when this page is complete, no part of the clients that left is still running.
    assert.match(await text(await app.ask('/page')), /<\/html>$/)
    await app.service.running.idle()
    assert.equal(await app.readHeldBytes(), 0)
  })

  test('do not delay others, even if a hundred of them read a kilobyte now and then', async t => {
    const app = await startPageApp(t)
    const slow = Array.from({ length: 100 }, () => readOnDemand(t, app.url))
    for (let seed = 1; seed <= 20; seed++) {
      const html = await text(await app.ask(`/page?seed=${seed}`))
      assert.match(html, /<\/html>$/)
      assert.doesNotMatch(html, /class="fallback"/)
      for (const readKilobyte of slow) readKilobyte()
    }
    assert.ok((await app.readHeldBytes()) < 64 * MIB)
  })
})

describe('clients that go away', () => {
  test('leave no memory behind, even two hundred of them', async t => {
    const app = await startPageApp(t)
    await Promise.all(
      Array.from({ length: 200 }, async (_, seed) => {
        const asked = get(`${app.url}/page?seed=${seed}`, { agent: false }).on('error', () => {})
        await once(asked, 'socket')
        if (seed % 2 === 0) {
          const [response] = await once(asked, 'response')
          response.on('error', () => {})
        } else await once(asked, 'finish')
        asked.destroy()
      }),
    )
    assert.match(await text(await app.ask('/page?seed=7')), /<\/html>$/)
    await app.service.running.idle()
    assert.equal((await app.rendering.operated?.readPool?.())?.queueLength, 0)
    assert.equal(await app.readHeldBytes(), 0)
    assert.deepEqual(
      app.logged.filter(({ code }) => code !== 'OVERLOADED'),
      [],
    )
  })
})
