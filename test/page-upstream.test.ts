import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { sharePageApp } from './page-app.ts'

const PAGES = 64
/** Orders and recommendations. */
const CALLS_PER_PAGE = 2
/** Shorter than the usual patience of a test, because without enough calls nothing else ends the pages. */
const PATIENCE_MS = 20_000

for (const fetching of namesOf('upstream')) {
  describe(`a page whose data upstream/${fetching} fetches`, () => {
    const start = sharePageApp({ fetching, partTimeoutMs: PATIENCE_MS })
    test('is one of 64 whose data is awaited at the same time, by one render thread', async () => {
      const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
      let calls = 0
      const upstream = () => {
        if (++calls === PAGES * CALLS_PER_PAGE) open(undefined)
        return opened
      }
      const { ask } = start(upstream)
      const asked = Array.from({ length: PAGES }, async () => {
        const response = await ask('/page')
        return [response.statusCode, (await text(response)).endsWith('</html>')]
      })
      assert.deepEqual(await Promise.all(asked), new Array(PAGES).fill([200, true]))
    })

    test('cancels its calls when its client leaves', async t => {
      const { url, service, upstreamServer } = start(() => new Promise<never>(() => {}))
      const closed: Promise<unknown>[] = []
      const { promise: bothCame, resolve } = Promise.withResolvers<void>()
      const onRequest = (_request: IncomingMessage, response: ServerResponse) => {
        closed.push(once(response, 'close'))
        if (closed.length === CALLS_PER_PAGE) resolve()
      }
      upstreamServer.on('request', onRequest)
      t.after(() => upstreamServer.off('request', onRequest))
      const asked = get(`${url}/page`, { agent: false }).on('error', () => {})
      await bothCame
      asked.destroy()
      await Promise.all(closed)
      await service.running.idle()
    })

    test('is whole although a render thread dies while its data is awaited', async () => {
      const { promise: opened, resolve: open } = Promise.withResolvers<undefined>()
      const { ask, rendering, upstreamServer } = start(() => opened)
      const came = once(upstreamServer, 'request')
      const answered = ask('/page')
      await came
      void rendering.operated?.kill?.()
      open(undefined)
      const html = await text(await answered)
      assert.match(html, /<\/html>$/)
      assert.doesNotMatch(html, /class="fallback"/)
    })
  })
}
