import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { RenderError, RendererOptions } from './index.ts'
import { startRenderer } from './start-renderer.fixture.ts'

async function start(t: TestContext, query = '', options: Partial<RendererOptions> = {}) {
  const shellTimeoutMs = Number.POSITIVE_INFINITY
  const started = await startRenderer(t, `./thread-death.fixture.ts${query}`, { shellTimeoutMs, ...options })
  const state = new Int32Array(new SharedArrayBuffer(8))
  const ask = (method: string, url = '/') => started.html(url, { method, props: { state } })
  /** Asks for a page that blocks its thread until `letGo`. Resolves when it does. */
  const hold = async () => {
    const held = ask('GET', '/held')
    await Atomics.waitAsync(state, 0, 0).value
    return { held }
  }
  const letGo = () => {
    Atomics.store(state, 1, 1)
    Atomics.notify(state, 1)
  }
  return { ...started, ask, state, hold, letGo }
}

describe('a page whose thread is killed while it waits for its data', () => {
  for (const [query, method, isMadeAgain] of [
    ['', 'GET', true],
    ['', 'POST', false],
    ['?repeatable', 'POST', true],
  ] as const)
    test(`is ${isMadeAgain ? '' : 'not '}made again for ${method}${query && ' if the module allows it'}`, async t => {
      const { renderer, ask, state } = await start(t, query)
      const asked = ask(method).catch((error: RenderError) => error.code)
      await Atomics.waitAsync(state, 0, 0).value
      await renderer.kill()
      assert.equal(await asked, isMadeAgain ? '<p>made</p>' : 'THREAD_DIED')
      assert.equal(state[0], isMadeAgain ? 2 : 1)
    })
})

describe('an error that nobody catches', () => {
  test('is told with its stack and the page, and the other pages of its thread are made again', async t => {
    const { ask, state, errors, urls } = await start(t)
    const innocent = ask('GET')
    await Atomics.waitAsync(state, 0, 0).value
    await assert.rejects(ask('GET', '/bug'), { code: 'THREAD_DIED' })
    assert.equal(await innocent, '<p>made</p>')
    assert.deepEqual(urls, ['/bug'])
    const [error] = errors as [RenderError]
    assert.equal(error.causedBy, '/bug')
    assert.match(
      (error.cause as Error).stack ?? '',
      /TypeError.*nobody waits for this.*thread-death\.fixture/s,
    )
  })

  test('is a warning with its stack and the page by default', async t => {
    const { ask } = await start(t, '', { onError: undefined } as object)
    const warned = once(process, 'warning')
    await assert.rejects(ask('GET', '/bug'), { code: 'THREAD_DIED' })
    const [{ code, message, detail }] = await warned
    assert.equal(code, 'THREAD_DIED')
    assert.match(`${message} ${detail}`, /page \/bug.*nobody waits for this.*thread-death\.fixture/s)
  })
})

test('a page that computes for long leaves the others to a new thread, and is made', async t => {
  const { ask, errors, hold, letGo } = await start(t, '', { shellTimeoutMs: 8000 })
  const { held } = await hold()
  assert.equal(await ask('GET'), '<p>made</p>')
  letGo()
  assert.equal(await held, '<p>made</p>')
  assert.deepEqual(errors, [])
})

describe('close', () => {
  test('lets pages that have begun end, and refuses those that wait and all later ones', async t => {
    const { renderer, ask, hold, letGo } = await start(t, '', { pagesAtOnce: 1 })
    const { held } = await hold()
    const waiting = ask('GET')
    const closed = renderer.close()
    await assert.rejects(waiting, { code: 'RENDERER_CLOSED', statusCode: 503 })
    await assert.rejects(ask('GET'), { code: 'RENDERER_CLOSED' })
    letGo()
    assert.equal(await held, '<p>made</p>')
    await closed
    await renderer.close()
  })

  test('ends after its grace what has not ended', async t => {
    const { renderer, ask, state } = await start(t)
    const waiting = ask('GET')
    await Atomics.waitAsync(state, 0, 0).value
    assert.throws(() => renderer.close({ graceMs: -1 }), { name: 'RangeError', message: /graceMs/ })
    await Promise.all([renderer.close({ graceMs: 1 }), assert.rejects(waiting, { code: 'RENDERER_CLOSED' })])
  })
})
