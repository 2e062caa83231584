import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fastify from 'fastify'
import { listen } from '../../lib/http/listen.ts'
import {
  createPageRenderer,
  fastifyHandler,
  httpHandler,
  type PageRendererOptions,
  type PartError,
} from './index.ts'

type Parts = typeof import('./parts.fixture.ts')

const parts = new URL('./parts.fixture.ts', import.meta.url)
const never = new Promise<never>(() => {})

async function start(t: TestContext, options: Partial<PageRendererOptions> = {}) {
  const fallbacks: PartError[] = []
  const renderer = await createPageRenderer<Parts>({
    parts,
    threads: 1,
    workerPriority: 0,
    onFallback: error => fallbacks.push(error),
    ...options,
  })
  t.after(() => renderer.close({ graceMs: 0 }))
  const html = async (...pieces: Parameters<typeof renderer.page>[0]) => text(await renderer.page(pieces))
  return { renderer, part: renderer.part.bind(renderer), html, fallbacks }
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

  test('shows the fallback of a component that throws, and reports where that is', async t => {
    const { part, html, fallbacks } = await start(t)
    const broken = part('Broken', undefined, { fallback: '<p>not now</p>' })
    assert.equal(await html(broken, part('Title', { text: 'last' })), '<p>not now</p><h1>last</h1>')
    assert.deepEqual(
      fallbacks.map(({ code, part }) => [code, part]),
      [['PART_FAILED', 'Broken']],
    )
    assert.match(String(fallbacks[0]?.cause), /on purpose.*at Broken/s)
  })

  for (const name of ['Waiting', 'Impatient', 'Lazy', 'Asynchronous', 'Odd'] as const) {
    test(`shows the fallback of ${name} at once, and keeps its thread`, async t => {
      const { part, html, fallbacks } = await start(t, { partTimeoutMs: 60_000 })
      const props = undefined as never
      assert.equal(
        await html(part(name, props, { fallback: '-' }), part('Title', { text: '+' })),
        '-<h1>+</h1>',
      )
      assert.equal(fallbacks[0]?.code, 'PART_FAILED')
      const cause =
        name === 'Odd' ? /null prototype.*at Odd/s : /suspended while responding.*Components:\s+at /s
      assert.match(String(fallbacks[0].cause), cause)
    })
  }

  test('shows the fallback of a part whose props fail or do not come in time', async t => {
    const { part, html, fallbacks } = await start(t, { partTimeoutMs: 1000 })
    // A thread that has just started, on a busy machine, takes longer than the time limit.
    while ((await html(part('List', { items: [] }, { fallback: '' }))) === '') fallbacks.length = 0
    const failing = Promise.reject(new Error('no orders'))
    const page = await html(
      part('Title', failing, { fallback: '1' }),
      part('Title', never, { fallback: '2' }),
      part('List', { items: [] }),
    )
    assert.equal(page, '12<ul></ul>')
    assert.deepEqual(
      fallbacks.map(({ code }) => code),
      ['PART_FAILED', 'PART_LATE'],
    )
    assert.deepEqual(fallbacks[0]?.cause, new Error('no orders'))
  })

  for (const name of ['Deadly', 'Endless'] as const) {
    test(`replaces a thread that renders ${name}, whose other parts another thread renders`, async t => {
      const { part, html, fallbacks } = await start(t, { partTimeoutMs: name === 'Deadly' ? 60_000 : 8000 })
      const parts = [part(name, undefined, { fallback: '-' }), part('Title', { text: 'behind it' })]
      assert.equal(await html(...parts), '-<h1>behind it</h1>')
      // What composes the page gives up a part that hangs before its thread ends.
      assert.deepEqual(
        fallbacks.map(({ code }) => code),
        [name === 'Deadly' ? 'THREAD_DIED' : 'PART_LATE'],
      )
    })
  }

  test('refuses parts whose props cannot be copied to a thread, and shows all others', async t => {
    const { part, html, fallbacks } = await start(t)
    const props = { text: 'a button', onClick() {} }
    const refused = part('Title', props, { fallback: '-' })
    const good = part('Title', { text: '+' })
    const page = await html(refused, good, good, refused, good, good, good)
    assert.equal(page.replaceAll('<h1>+</h1>', '+'), '-++-+++')
    assert.deepEqual(
      fallbacks.map(({ code }) => code),
      ['PROPS_NOT_CLONEABLE', 'PROPS_NOT_CLONEABLE'],
    )
    await assert.rejects(html(part('Title', props)), (error: PartError) => {
      assert.equal(error.message, 'part Title: its props cannot be copied to a thread; see the cause')
      assert.match(String(error.cause), /props\.onClick is a function/)
      return true
    })
  })

  test('has no bytes without a required part', async t => {
    const { part, html } = await start(t)
    const page = html('<main>', part('Broken', undefined))
    await assert.rejects(page, { name: 'PartError', code: 'PART_FAILED', part: 'Broken' })
  })

  test('is answered by a handler of Fastify and by one of node:http alike', async t => {
    const { renderer } = await start(t)
    const page = ({ url }: { readonly url?: string | undefined }) =>
      url === '/'
        ? ['<main>', renderer.part('Title', { text: 'hello' }), '</main>']
        : [renderer.part('Broken', undefined)]
    const app = fastify()
    app.get('/*', fastifyHandler(renderer, page))
    t.after(() => app.close())
    const server = createServer(
      httpHandler(renderer, page, (_, __, response) => response.writeHead(500).end()),
    )
    t.after(() => server.close())
    const url = await listen(server, '127.0.0.1', 0)

    for (const path of ['/', '/broken']) {
      const answer = await fetch(`${url}${path}`)
      const injected = await app.inject(path)
      assert.equal(answer.status, injected.statusCode)
      assert.equal(answer.status, path === '/' ? 200 : 500)
      if (path !== '/') continue
      assert.equal(await answer.text(), '<main><h1>hello</h1></main>')
      assert.equal(injected.body, '<main><h1>hello</h1></main>')
      assert.equal(answer.headers.get('content-type'), injected.headers['content-type'])
    }
  })

  test('waits for its parts as long as it takes if the limit is Infinity', async t => {
    const { part, html } = await start(t, { partTimeoutMs: Number.POSITIVE_INFINITY })
    assert.equal(await html(part('Title', { text: 'in time' }, { fallback: '-' })), '<h1>in time</h1>')
  })

  for (const [name, values] of Object.entries({
    parts: [undefined, './parts.js', 5],
    threads: [0, -1, 65, 1.5, Number.NaN, '2', null],
    partTimeoutMs: [0, 9, 2 ** 31, Number.NaN, '5s'],
    workerMemoryMib: [0, 31, Number.POSITIVE_INFINITY, Number.NaN],
    workerPriority: [-1, 20, Number.NaN],
    onFallback: ['log', null],
    partTimeout: [1000],
  }))
    test(`has no renderer with a wrong value of ${name}`, async () => {
      for (const value of values)
        await assert.rejects(createPageRenderer({ parts, threads: 1, [name]: value }), {
          name: 'RangeError',
          message: new RegExp(`^createPageRenderer.* ${name}[ ;]`),
        })
    })

  for (const waitsFor of ['data', 'props'] as const)
    for (const server of ['node:http', 'fastify'] as const)
      test(`is not made for a client of ${server} that left before the ${waitsFor} came; that is no error`, async t => {
        const { renderer, part } = await start(t)
        const arrived = Promise.withResolvers<void>()
        const left = Promise.withResolvers<{ text: string }>()
        const errors: unknown[] = []
        const compose = async () => {
          arrived.resolve()
          return [part('Title', waitsFor === 'data' ? await left.promise : left.promise)]
        }
        const toFastify = fastifyHandler(renderer, compose)
        const toHttp = httpHandler(renderer, compose, error => errors.push(error))
        const handled = Promise.withResolvers<unknown>()
        const app = fastify()
        app.setErrorHandler(error => errors.push(error))
        app.get('/', (request, reply) => {
          reply.raw.once('close', () => left.resolve({ text: 'late' }))
          const answered = server === 'fastify' ? toFastify(request, reply) : toHttp(request.raw, reply.raw)
          handled.resolve(answered)
          if (server === 'node:http') reply.hijack()
          return answered
        })
        t.after(() => app.close())
        const client = request(await app.listen({ host: '127.0.0.1', port: 0 })).on('error', () => {})
        client.end()
        await arrived.promise
        client.destroy()
        assert.equal(await handled.promise, undefined)
        assert.deepEqual(errors, [])
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
