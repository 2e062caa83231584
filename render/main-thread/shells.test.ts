import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createRenderer, type Renderer } from './index.ts'

const app = new URL('./shells.fixture.ts', import.meta.url)

describe('a shell', () => {
  let renderer: Renderer
  before(async () => {
    renderer = await createRenderer({ app, threads: 1, onError() {} })
  })
  after(() => renderer.close())
  const page = async (url: string, mode?: 'static' | 'string') =>
    text((await renderer.stream({ url, mode })).body)

  test('is made once for all pages with its key, outside of their asynchronous contexts', async () => {
    const [ada, bo] = [await page('/home/Ada'), await page('/home/Bo')]
    for (const [html, name] of [
      [ada, 'Ada'],
      [bo, 'Bo'],
    ] as const) {
      assert.match(html, /^<!DOCTYPE html><html>.*<p>home 1 undefined<\/p>.*waiting.*\/client\.js/)
      assert.match(
        html,
        new RegExp(`<div hidden id="S:0"><b id="[^"]+">${name}</b></div><script nonce="N1">.*</html>$`, 's'),
      )
    }
    assert.match(await page('/other/Ada'), /<p>other 2 undefined/)
    assert.equal(await page('/home/Ada', 'static'), ada)
  })

  test('may be a whole page', async () => {
    const whole = await page('/whole/Ada')
    assert.match(whole, /<p>whole \d undefined<\/p>.*<\/html>$/)
    assert.equal(await page('/whole/Bo'), whole)
  })

  for (const key of ['broken', 'odd'])
    test(`that fails is no shell of the next page: ${key}`, async () => {
      await assert.rejects(page(`/${key}/Ada`), { code: 'RENDER_FAILED' })
      assert.match(await page(`/${key}/Ada`), new RegExp(`<p>${key}`))
    })

  for (const key of ['endless', 'ending'])
    test(`that ends its thread is the fault of the page that needs it first: ${key}`, async t => {
      const errors: unknown[] = []
      const renderer = await createRenderer({
        app,
        threads: 1,
        shellTimeoutMs: 500,
        onError: ({ code, causedBy }, { url }) => errors.push([url, code, causedBy]),
      })
      t.after(() => renderer.close())
      const innocent = renderer.stream({ url: '/none/Ada', shellDeadline: Number.POSITIVE_INFINITY })
      await assert.rejects(renderer.stream({ url: `/${key}/Ada` }))
      assert.match(await text((await innocent).body), /<p>none/)
      assert.deepEqual(errors, [[`/${key}/Ada`, 'THREAD_DIED', `/${key}/Ada`]])
    })

  test('is not used by a page without one, by `renderToString`, and beside a response', async () => {
    assert.match(await page('/none/Ada'), /<p>none \d \/none\/Ada<\/p>/)
    assert.match(await page('/home/Ada', 'string'), /<p>home \d \/home\/Ada<\/p>/)
    assert.equal((await renderer.stream({ url: '/home/nobody' })).status, 302)
  })
})
