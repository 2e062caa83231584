import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createPageRenderer, type PageRendererOptions, type RenderError } from './index.ts'

type Parts = typeof import('./parts.fixture.ts')

const parts = new URL('./parts.fixture.ts', import.meta.url)
const never = new Promise<never>(() => {})

async function start(t: TestContext, options: Partial<PageRendererOptions> = {}) {
  const fallbacks: (RenderError & { readonly part: string })[] = []
  const renderer = await createPageRenderer<Parts>({
    parts,
    threads: 1,
    workerPriority: 0,
    onFallback: (error, part) => fallbacks.push(Object.assign(error, { part })),
    ...options,
  })
  t.after(() => renderer.close({ graceMs: 0 }))
  const html = async (...pieces: Parameters<typeof renderer.page>[0]) => text(await renderer.page(pieces))
  const told = () => fallbacks.map(({ part, code }) => `${part} ${code}`)
  return { renderer, part: renderer.part.bind(renderer), html, fallbacks, told }
}

describe('a page of parts', () => {
  test('comes in page order, whichever part is ready first, with types that follow the module', async t => {
    const { part, html } = await start(t, { threads: 2 })
    const { promise: props, resolve } = Promise.withResolvers<{ text: string }>()
    const page = html('<main>', part('Title', props), part('List', { items: ['a', 'b'] }), '</main>')
    setImmediate(resolve, { text: 'first' })
    assert.equal(await page, '<main><h1>first</h1><ul><li>a</li><li>b</li></ul></main>')
    // @ts-expect-error a text is expected
    assert.equal(await html(part('Title', {})), '<h1></h1>')
  })

  test('shows the fallback of a component that throws, and reports where that is; without one, it has no bytes', async t => {
    const { part, html, fallbacks, told } = await start(t)
    const broken = part('Broken', undefined, { fallback: '<p>not now</p>' })
    assert.equal(await html(broken, part('Title', { text: 'last' })), '<p>not now</p><h1>last</h1>')
    assert.deepEqual(told(), ['Broken RENDER_FAILED'])
    assert.match(String(fallbacks[0]?.stack), /on purpose.*at Broken/s)
    const required = html('<main>', part('Broken', undefined))
    await assert.rejects(required, { name: 'RenderError', code: 'RENDER_FAILED' })
  })

  test('shows a fallback with a warning that names the part, if nothing else is told', async t => {
    const { part, html } = await start(t, { onFallback: undefined })
    const warned = once(process, 'warning')
    assert.equal(await html(part('Broken', undefined, { fallback: '-' })), '-')
    const [{ message }] = await warned
    assert.match(message, /^part Broken: RenderError.*on purpose/s)
  })

  for (const name of ['Waiting', 'Odd'] as const) {
    test(`shows the fallback of ${name} at once, and keeps its thread`, async t => {
      const { part, html, fallbacks } = await start(t, { partTimeoutMs: 60_000 })
      const props = undefined as never
      assert.equal(
        await html(part(name, props, { fallback: '-' }), part('Title', { text: '+' })),
        '-<h1>+</h1>',
      )
      assert.equal(fallbacks[0]?.code, 'RENDER_FAILED')
      const cause = name === 'Odd' ? /null prototype/ : /suspended while responding/
      assert.match(String(fallbacks[0].cause), cause)
    })
  }

  test('shows the fallback of a part whose props fail or do not come in time', async t => {
    const { part, html, fallbacks, told } = await start(t, { partTimeoutMs: 1000 })
    // A thread that has just started, on a busy machine, takes longer than the time limit.
    while ((await html(part('List', { items: [] }, { fallback: '' }))) === '') fallbacks.length = 0
    const failing = Promise.reject(new Error('no orders'))
    const page = await html(
      part('Title', failing, { fallback: '1' }),
      part('Title', never, { fallback: '2' }),
      part('List', { items: [] }),
    )
    assert.equal(page, '12<ul></ul>')
    assert.deepEqual(told(), ['Title RENDER_FAILED', 'Title PAGE_LATE'])
    assert.deepEqual(fallbacks[0]?.cause, new Error('no orders'))
  })

  test('replaces a thread that dies of a part, and another thread renders the other parts', async t => {
    const { part, html, told } = await start(t, { partTimeoutMs: 60_000 })
    const parts = [part('Deadly', undefined, { fallback: '-' }), part('Title', { text: 'behind it' })]
    assert.equal(await html(...parts), '-<h1>behind it</h1>')
    assert.deepEqual(told(), ['Deadly THREAD_DIED'])
  })

  test('refuses parts whose props cannot be copied to a thread, and shows all others', async t => {
    const { part, html, told } = await start(t)
    const props = { text: 'a button', onClick() {} }
    const refused = part('Title', props, { fallback: '-' })
    const good = part('Title', { text: '+' })
    const page = await html(refused, good, good, refused, good, good, good)
    assert.equal(page.replaceAll('<h1>+</h1>', '+'), '-++-+++')
    assert.deepEqual(told(), Array(2).fill('Title PROPS_NOT_CLONEABLE'))
    const isExplained = ({ cause }: RenderError) => /props\.onClick is a function/.test(String(cause))
    await assert.rejects(html(part('Title', props)), isExplained)
  })

  test('has no renderer with a wrong option', async () => {
    const wrong = { parts: './parts.js', threads: 0, partTimeoutMs: 9, onFallback: 'log', partTimeout: 1000 }
    for (const [name, value] of Object.entries(wrong))
      await assert.rejects(createPageRenderer({ parts, threads: 1, [name]: value }), {
        name: 'RangeError',
        message: new RegExp(`^createPageRenderer.* ${name}[ ;]`),
      })
  })

  test('renders no part that waits when nobody wants the page any more', async t => {
    const { renderer, part, html } = await start(t)
    const state = new Int32Array(new SharedArrayBuffer(12))
    const controller = new AbortController()
    const wanted = renderer.page([part('Held', { state })])
    await Atomics.waitAsync(state, 0, 0).value
    // Some of these are in the thread, behind the part that is rendered; the others wait for their turn.
    const pieces = Array.from({ length: 5 }, () => part('Held', { state }))
    const page = renderer.page(pieces, { signal: controller.signal })
    await turn()
    controller.abort()
    Atomics.store(state, 1, 1)
    Atomics.notify(state, 1)
    await assert.rejects(page, { code: 'CLIENT_GONE' })
    await html(part('Title', { text: 'next' }))
    assert.equal(await text(await wanted), '')
    assert.equal(state[0], 1)
  })
})
