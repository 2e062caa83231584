import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createRenderer } from './index.ts'

for (const what of ['never-loads', 'suspends', 'late'])
  test(`pages that only wait for data (${what}) hold up no page that needs none`, async t => {
    const renderer = await createRenderer({
      app: new URL('./renderer.fixture.ts', import.meta.url),
      threads: 1,
      pagesAtOnce: 2,
      onError() {},
    })
    t.after(() => renderer.close({ graceMs: 0 }))
    const shellDeadline = Number.POSITIVE_INFINITY
    const controller = new AbortController()
    const late = new Promise(() => {})
    const waiting = Array.from({ length: 20 }, () =>
      renderer
        .stream({ url: `/${what}`, shellDeadline, props: { late }, signal: controller.signal })
        .then(({ body }) =>
          once(
            body.resume().on('error', () => {}),
            'close',
          ),
        )
        .catch(() => {}),
    )
    const { body } = await renderer.stream({ url: '/hello', shellDeadline })
    assert.match(await text(body), /<title>hello/)
    assert.equal(renderer.waiting.pages, 0)
    controller.abort()
    await Promise.all(waiting)
  })

test('pages that are due keep the places of the others', async t => {
  const renderer = await createRenderer({
    app: new URL('./renderer.fixture.ts', import.meta.url),
    threads: 1,
    pagesAtOnce: 2,
  })
  t.after(() => renderer.close({ graceMs: 0 }))
  const pages = Array.from({ length: 20 }, async () =>
    text((await renderer.stream({ url: '/hello', shellDeadline: Number.POSITIVE_INFINITY })).body),
  )
  assert.equal(renderer.waiting.pages, 18)
  for (const page of pages) assert.match(await page, /<title>hello/)
})
