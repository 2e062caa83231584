import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { createRenderer, type PageRequest, type RenderError } from './index.ts'

async function start(t: TestContext, query = '', hasOnError = true) {
  const errors: [RenderError, PageRequest][] = []
  const renderer = await createRenderer({
    app: new URL(`./thread-death.fixture.ts${query}`, import.meta.url),
    threads: 1,
    shellTimeoutMs: Number.POSITIVE_INFINITY,
    ...(hasOnError && { onError: (...told: [RenderError, PageRequest]) => errors.push(told) }),
  })
  t.after(() => renderer.close())
  const state = new Int32Array(new SharedArrayBuffer(4))
  const ask = async (method: string, url = '/') =>
    text((await renderer.stream({ url, method, props: { state } })).body)
  return { renderer, ask, state, errors }
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
    const { ask, state, errors } = await start(t)
    const innocent = ask('GET')
    await Atomics.waitAsync(state, 0, 0).value
    await assert.rejects(ask('GET', '/bug'), { code: 'THREAD_DIED' })
    assert.equal(await innocent, '<p>made</p>')
    const [[error, request], ...others] = errors as [[RenderError, PageRequest]]
    assert.deepEqual(others, [])
    assert.equal(request.url, '/bug')
    assert.equal(error.causedBy, '/bug')
    assert.match(
      (error.cause as Error).stack ?? '',
      /TypeError.*nobody waits for this.*thread-death\.fixture/s,
    )
  })

  test('is a warning with its stack and the page by default', async t => {
    const { ask } = await start(t, '', false)
    const warned = once(process, 'warning')
    await assert.rejects(ask('GET', '/bug'), { code: 'THREAD_DIED' })
    const [{ code, message, detail }] = await warned
    assert.equal(code, 'THREAD_DIED')
    assert.match(`${message} ${detail}`, /page \/bug.*nobody waits for this.*thread-death\.fixture/s)
  })
})
