import assert from 'node:assert/strict'
import { on } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createRenderer, type PageTimes, type RenderError, type RenderErrorCode } from './index.ts'
import { startRenderer } from './start-renderer.fixture.ts'

const FIXTURE = './renderer.fixture.ts'
const start = (t: TestContext, options: Parameters<typeof startRenderer>[2] = {}) =>
  startRenderer(t, FIXTURE, options)

const fails = (code: RenderErrorCode, statusCode: number) => (error: RenderError) =>
  error.code === code && error.statusCode === statusCode

/** A promise that is fulfilled by its function `resolve`. */
const later = () => Promise.withResolvers<string>()

describe('a page in a thread', () => {
  test('is the document of its component, with status, headers and nonce', async t => {
    const { renderer, html, errors } = await start(t)
    const page = await renderer.stream({ url: '/missing', props: { text: 'é'.repeat(9000) }, nonce: 'N1' })
    assert.equal(page.status, 404)
    assert.equal(page.headers['x-kind'], 'missing')
    const body = await text(page.body)
    assert.match(body, /^<!DOCTYPE html><html>.*<p>é{9000}<\/p><script nonce="N1" .*<\/html>$/)
    assert.equal(await html('/missing', { props: { text: 'é'.repeat(9000) }, nonce: 'N1' }), body)
    assert.deepEqual(errors, [])
  })

  test('sends the shell at once, and a boundary when its data has come', async t => {
    const { renderer } = await start(t)
    const { promise: late, resolve } = later()
    const { body } = await renderer.stream({ url: '/late', props: { late } })
    const chunks = on(body, 'data', { close: ['end'] })
    const { value } = await chunks.next()
    assert.match(String(value), /<i>waiting<\/i>.*globalThis\.started/)
    resolve('it came')
    const rest: string[] = []
    for await (const chunk of chunks) rest.push(String(chunk))
    assert.match(rest.join(''), /<b>it came<\/b>.*<\/html>$/s)
  })

  test('may be a redirect or another response instead', async t => {
    const { renderer } = await start(t)
    const redirect = await renderer.stream({ url: '/redirect' })
    assert.deepEqual([redirect.status, redirect.headers.location], [302, '/elsewhere'])
    const refused = await renderer.stream({ url: '/refused' })
    assert.deepEqual([refused.status, await text(refused.body)], [403, 'no'])
    const foreign = await renderer.stream({ url: '/foreign' })
    assert.deepEqual([foreign.status, foreign.headers.location], [302, '/elsewhere'])
  })

  test('may be a response that is passed on as it comes, and is cut if it fails or its thread dies', async t => {
    const { renderer, codes } = await start(t)
    const pass = async (late: Promise<string>) => {
      const { status, headers, body } = await renderer.stream({ url: '/passed', props: { late } })
      assert.deepEqual([status, headers], [201, {}])
      const chunks = on(body, 'data', { close: ['end'] })
      assert.equal(String((await chunks.next()).value), 'first')
      return chunks
    }
    const [good, bad, never] = [later(), later(), later()]
    const chunks = await pass(good.promise)
    good.resolve('second')
    assert.equal(String((await chunks.next()).value), 'second')
    assert.ok((await chunks.next()).done)
    const failing = await pass(bad.promise)
    bad.reject(new Error('cut on purpose'))
    await assert.rejects(failing.next(), { code: 'RENDER_FAILED' })
    const cut = await pass(never.promise)
    await Promise.all([assert.rejects(cut.next(), { code: 'PAGE_CUT' }), renderer.kill()])
    assert.deepEqual(codes(), ['RENDER_FAILED', 'PAGE_CUT'])
  })

  test('comes in pieces as fast as a client reads, and other pages do not wait for it', async t => {
    const times: PageTimes[] = []
    const { renderer, html } = await start(t, {
      windowBytes: 64,
      pagesAtOnce: 1,
      onPage: each => times.push(each),
    })
    const [first, second] = [later(), later()]
    const props = { text: 'x'.repeat(1e5), late: first.promise, later: second.promise }
    const { body } = await renderer.stream({ url: '/late', props })
    first.resolve('first'.padEnd(5000, '.'))
    await turn()
    second.resolve('second')
    assert.match(await html('/hello'), /<title>hello/)
    assert.equal(times.length, 2)
    const sentBytes = body.readableLength
    const all = await text(body)
    assert.match(all, /<b>first\.+<\/b>.*<b>second<\/b>.*<\/html>$/s)
    assert.ok(sentBytes <= all.indexOf('<b>second'))
  })
})

describe('an error', () => {
  test('before the shell is the status of the answer, by its cause', async t => {
    const { renderer, errors } = await start(t, { shellTimeoutMs: 600 })
    const cases: [string, RenderErrorCode, number][] = [
      ['/throws', 'RENDER_FAILED', 500],
      ['/throws-odd', 'RENDER_FAILED', 500],
      ['/throws-bare', 'RENDER_FAILED', 500],
      ['/bad-gateway', 'RENDER_FAILED', 502],
      ['/never-loads', 'PAGE_LATE', 504],
      ['/suspends', 'PAGE_LATE', 504],
    ]
    await Promise.all(
      cases.map(([url, code, status]) => assert.rejects(renderer.stream({ url }), fails(code, status))),
    )
    const thrown = errors.find(({ cause }) => (cause as Error).message === 'on purpose')
    assert.match(thrown?.componentStack ?? '', /at Page/)
    assert.equal(errors.length, cases.length)
  })

  test('after the shell is the fallback of its boundary', async t => {
    const { html, errors, codes } = await start(t, { pageTimeoutMs: 400 })
    const failing = { late: turn('too bad') }
    assert.match(await html('/late-throws', { props: failing }), /<i>waiting<\/i>.*<\/html>$/s)
    const { promise: never } = later()
    assert.match(await html('/late', { props: { late: never } }), /<i>waiting<\/i>.*\$RX\(.*<\/html>$/s)
    assert.deepEqual(codes(), ['BOUNDARY_FAILED', 'BOUNDARY_LATE'])
    assert.match(errors[0]?.componentStack ?? '', /at Late/)
  })

  test('of props that cannot be copied is that of its page alone', async t => {
    const { renderer, html } = await start(t)
    const refused = renderer.stream({ url: '/hello', props: { f() {} } })
    const good = html('/hello')
    await assert.rejects(refused, fails('PROPS_NOT_CLONEABLE', 500))
    assert.match(await good, /<title>hello/)
    assert.match(await html('/late', { props: { late: Promise.resolve(() => {}) } }), /<i>waiting<\/i>/)
  })
})

// The rules themselves have tests of their own.
test('a renderer is not created with a wrong option', async () => {
  const limits = { shellTimeoutMs: '5s', pageTimeoutMs: 2 ** 31, windowBytes: 0, shellTimeout: 1000 }
  for (const [name, value] of Object.entries({
    app: 5,
    threads: 0,
    pagesAtOnce: 0,
    onError: 'log',
    ...limits,
  }))
    await assert.rejects(createRenderer({ app: new URL(FIXTURE, import.meta.url), [name]: value }), {
      name: 'RangeError',
      message: new RegExp(`^createRenderer.* ${name}[ ;]`),
    })
})

describe('a thread', () => {
  test('that dies is replaced: pages without a shell are made again, others end with their fallbacks', async t => {
    const { renderer, html, codes } = await start(t)
    const { promise: late, resolve } = later()
    const cut = await renderer.stream({ url: '/late', props: { late } })
    const [waiting] = await Promise.all([
      html('/late', { props: { late }, mode: 'static' }),
      text(cut.body).then(body => {
        assert.match(body, /<i>waiting<\/i>.*<\/script><\/body><\/html>$/)
        resolve('it came')
      }),
      renderer.kill(),
    ])
    assert.match(waiting, /<b>it came<\/b>/)
    assert.deepEqual(codes(), ['PAGE_CUT'])
  })

  test('that makes one short page after the other is not taken for stuck', async t => {
    const { html, errors } = await start(t, { shellTimeoutMs: 1000 })
    const until = performance.now() + 1000
    const makePages = async () => {
      while (performance.now() < until) await html('/hello')
    }
    // Two at a time, so that one is always under way when the main thread looks.
    await Promise.all([makePages(), makePages()])
    assert.deepEqual(errors, [])
  })

  for (const what of ['loops', 'exits', 'fills'])
    test(`whose page ${what} fails that page, and makes the others`, async t => {
      const { renderer, html } = await start(t, { shellTimeoutMs: 1000, workerMemoryMib: 60 })
      const shellDeadline = Number.POSITIVE_INFINITY
      const failing = assert.rejects(renderer.stream({ url: `/${what}` }), fails('THREAD_DIED', 500))
      const others = await Promise.all([
        html('/hello', { shellDeadline }),
        html('/late', { shellDeadline, props: { late: turn('it came') } }),
      ])
      await failing
      assert.match(others[0], /<title>hello/)
      assert.match(others[1], /it came/)
    })
})

test('a client that leaves ends the work for its page', async t => {
  const times: PageTimes[] = []
  const { renderer, html } = await start(t, { onPage: each => times.push(each) })
  const { promise: late } = later()
  const controller = new AbortController()
  const { body } = await renderer.stream({ url: '/late', props: { late }, signal: controller.signal })
  const cut = assert.rejects(text(body), { code: 'CLIENT_GONE' })
  controller.abort()
  await cut
  await html('/hello')
  assert.deepEqual(
    times.map(({ failedBoundaries }) => failedBoundaries),
    [0, 0],
  )
  const early = renderer.stream({ url: '/hello', signal: AbortSignal.abort() })
  await assert.rejects(early, { code: 'CLIENT_GONE' })
})

for (const what of ['never-loads', 'suspends', 'late'])
  test(`pages that only wait for data (${what}) hold up no page that needs none`, async t => {
    const { renderer, html } = await start(t, { pagesAtOnce: 2 })
    const shellDeadline = Number.POSITIVE_INFINITY
    const controller = new AbortController()
    const { signal } = controller
    const waiting = Array.from({ length: 20 }, () =>
      html(`/${what}`, { shellDeadline, props: { late: later().promise }, signal }).catch(() => {}),
    )
    assert.match(await html('/hello', { shellDeadline }), /<title>hello/)
    assert.equal(renderer.waiting.pages, 0)
    controller.abort()
    await Promise.all(waiting)
  })

test('pages that are due keep the places of the others', async t => {
  const { renderer, html } = await start(t, { pagesAtOnce: 2 })
  const pages = Array.from({ length: 20 }, () => html('/hello', { shellDeadline: Number.POSITIVE_INFINITY }))
  assert.equal(renderer.waiting.pages, 18)
  for (const page of pages) assert.match(await page, /<title>hello/)
})
