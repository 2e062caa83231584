import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createRenderer } from './index.ts'

test('200 pages of one thread are each rendered in the asynchronous context of their own user', async t => {
  const renderer = await createRenderer({
    app: new URL('./user-pages.fixture.ts', import.meta.url),
    threads: 1,
    shellTimeoutMs: Number.POSITIVE_INFINITY,
    pageTimeoutMs: Number.POSITIVE_INFINITY,
  })
  t.after(() => renderer.close({ graceMs: 0 }))
  const urls = Array.from({ length: 200 }, (_, index) =>
    index % 4 === 0 ? '/nobody' : `/${index % 2 ? 'enter' : 'run'}/user${index}`,
  )
  for (const mode of ['stream', 'static'] as const)
    await Promise.all(
      urls.map(async url => {
        const html = await text((await renderer.stream({ url, mode })).body)
        const user = url.split('/')[2] ?? 'nobody'
        const seen = Array.from(html.matchAll(/<b>(.*?)<\/b>/g), ([, each]) => each)
        assert.deepEqual(seen, [`${user} ${user}`, `${user} ${user}`])
      }),
    )
})
