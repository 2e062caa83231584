import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { startPageApp } from './page-app.ts'

const PAGES = 64
/** Orders and recommendations. */
const CALLS_PER_PAGE = 2
/** Shorter than the usual patience of a test, because without enough calls nothing else ends the pages. */
const PATIENCE_MS = 20_000

for (const fetching of namesOf('upstream')) {
  describe(`a page whose data upstream/${fetching} fetches`, () => {
    test('is one of 64 whose data is awaited at the same time, by one render thread', async t => {
      const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
      let calls = 0
      const upstream = () => {
        if (++calls === PAGES * CALLS_PER_PAGE) open(undefined)
        return opened
      }
      const { ask } = await startPageApp(t, { fetching, upstream, partTimeoutMs: PATIENCE_MS })
      const asked = Array.from({ length: PAGES }, async () => {
        const response = await ask('/page')
        return [response.statusCode, (await text(response)).endsWith('</html>')]
      })
      assert.deepEqual(await Promise.all(asked), new Array(PAGES).fill([200, true]))
    })

    test('cancels its calls when its client leaves', async t => {
      const upstream = () => new Promise<never>(() => {})
      const { url, service, upstreamServer } = await startPageApp(t, { fetching, upstream })
      const closed: Promise<unknown>[] = []
      const { promise: bothCame, resolve } = Promise.withResolvers<void>()
      upstreamServer.on('request', (_request: IncomingMessage, response: ServerResponse) => {
        closed.push(once(response, 'close'))
        if (closed.length === 2) resolve()
      })
      const asked = get(`${url}/page`, { agent: false }).on('error', () => {})
      await bothCame
      asked.destroy()
      await Promise.all(closed)
      await service.idle()
    })

    test('is whole although a render thread dies while its data is awaited', async t => {
      const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
      const { ask, rendering, upstreamServer } = await startPageApp(t, { fetching, upstream: () => opened })
      const came = once(upstreamServer, 'request')
      const answered = ask('/page')
      await came
      void rendering.threads?.kill()
      open(undefined)
      const html = await text(await answered)
      assert.match(html, /<\/html>$/)
      assert.doesNotMatch(html, /class="fallback"/)
    })
  })
}
