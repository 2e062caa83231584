import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { startRenderer } from './start-renderer.fixture.ts'

const start = (t: TestContext, options: Parameters<typeof startRenderer>[2] = {}) =>
  startRenderer(t, './shells.fixture.ts', options)

describe('a shell', () => {
  test('is made once for all pages with its key, outside of their asynchronous contexts', async t => {
    const { html } = await start(t)
    const pages = { Ada: await html('/home/Ada'), Bo: await html('/home/Bo') }
    for (const [name, page] of Object.entries(pages)) {
      assert.match(page, /^<!DOCTYPE html><html>.*<p>home 1 undefined<\/p>.*waiting.*\/client\.js/)
      assert.match(
        page,
        new RegExp(`<div hidden id="S:0"><b id="[^"]+">${name}</b></div><script nonce="N1">.*</html>$`, 's'),
      )
    }
    assert.match(await html('/other/Ada'), /<p>other 2 undefined/)
    assert.equal(await html('/home/Ada', { mode: 'static' }), pages.Ada)
  })

  test('may be a whole page, and is not used by a page without one, by `renderToString`, and beside a response', async t => {
    const { renderer, html } = await start(t)
    const whole = await html('/whole/Ada')
    assert.match(whole, /<p>whole 1 undefined<\/p>.*<\/html>$/)
    assert.equal(await html('/whole/Bo'), whole)
    assert.match(await html('/none/Ada'), /<p>none 2 \/none\/Ada<\/p>/)
    assert.match(await html('/home/Ada', { mode: 'string' }), /<p>home \d \/home\/Ada<\/p>/)
    assert.equal((await renderer.stream({ url: '/home/nobody' })).status, 302)
  })

  for (const key of ['broken', 'odd'])
    test(`that fails is no shell of the next page: ${key}`, async t => {
      const { html } = await start(t)
      await assert.rejects(html(`/${key}/Ada`), { code: 'RENDER_FAILED' })
      assert.match(await html(`/${key}/Ada`), new RegExp(`<p>${key}`))
    })

  for (const key of ['endless', 'ending'])
    test(`that ends its thread is the fault of the page that needs it first: ${key}`, async t => {
      const { html, errors, urls } = await start(t, { shellTimeoutMs: 500 })
      const innocent = html('/none/Ada', { shellDeadline: Number.POSITIVE_INFINITY })
      await assert.rejects(html(`/${key}/Ada`))
      assert.match(await innocent, /<p>none/)
      assert.deepEqual(urls, [`/${key}/Ada`])
      assert.deepEqual(
        errors.map(({ code, causedBy }) => [code, causedBy]),
        [['THREAD_DIED', `/${key}/Ada`]],
      )
    })
})
