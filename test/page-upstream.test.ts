import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { startPageApp } from './page-app.ts'

for (const fetching of namesOf('upstream')) {
  describe(`a page whose data upstream/${fetching} fetches`, () => {
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
      rendering.kill?.()
      open(undefined)
      const html = await text(await answered)
      assert.match(html, /<\/html>$/)
      assert.doesNotMatch(html, /class="fallback"/)
    })
  })
}
