import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fastify from 'fastify'
import { listen } from '../../lib/http/listen.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { createRenderer } from './index.ts'
import { startRenderer } from './start-renderer.fixture.ts'

/** Writes a project of these files. @returns the URL of its page */
function write(t: TestContext, files: Readonly<Record<string, string>>): URL {
  const folder = temporaryDirectory(t)
  for (const [name, source] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), source)
  }
  return pathToFileURL(join(folder, 'page.js'))
}

describe('a module', () => {
  const imported = (name: string, source: string) => ({ 'page.js': `import './${name}'`, [name]: source })
  for (const [what, files, error] of [
    [
      'that imports JSX',
      imported('deep.js', 'export default () => <p/>'),
      /^SyntaxError: .*deep\.js: Unexp.* JSX has to be built/,
    ],
    ['that imports a file of JSX', imported('deep.jsx', ''), /deep\.jsx.* JSX has to be built/],
    ['that reads no JSON', { 'page.js': 'JSON.parse("{")' }, /^SyntaxError: Expected prop/],
    ['that evaluates no code', { 'page.js': 'new Function("a b")' }, /^SyntaxError: Unexpected id/],
    ['without a default', { 'page.js': 'export const a = 1' }, /^TypeError: .*page\.js needs a component/],
    ['without a component', { 'page.js': 'export default null' }, /^TypeError: .*page\.js needs a component/],
  ] as const)
    test(`${what} is refused with the file and the error`, async t => {
      await assert.rejects(createRenderer({ app: write(t, files), threads: 1 }), error)
    })

  test('is rendered by the React that it imports itself', async t => {
    const app = write(t, {
      'page.js': 'export default () => null',
      'node_modules/react/index.js': 'exports.createElement = () => "an element"',
      'node_modules/react/package.json': '{}',
      'node_modules/react-dom/server.js': 'exports.renderToString = each => "React of the app: " + each',
    })
    const renderer = await createRenderer({ app, threads: 1 })
    t.after(() => renderer.close({ graceMs: 0 }))
    const { body } = await renderer.stream({ url: '/', mode: 'string' })
    assert.equal(await text(body), 'React of the app: an element')
  })
})

describe('options of a page', () => {
  const start = (t: TestContext) => startRenderer(t, './page-module.fixture.ts', { pageTimeoutMs: 2000 })

  test('cost no page its error if their `onError` throws', async t => {
    const { html, errors } = await start(t)
    assert.match(await html('/throwing-onError'), /waiting<\/?/)
    assert.deepEqual(
      errors.map(({ digest, cause }) => [digest, (cause as Error).message]),
      [[undefined, 'a secret']],
    )
  })

  test('with a transform that fails or never ends cost no other page', async t => {
    const { renderer, html, errors } = await start(t)
    const endless = html('/endless-transform')
    await assert.rejects(html('/no-transform'), { code: 'RENDER_FAILED' })
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const half = await renderer.stream({ url: '/half-transform', props: { begun } })
    resolve()
    await text(half.body)
    assert.match(await html('/upper'), /<P>BEFORE/)
    assert.match(await endless, /<P>BEFORE/)
    const messages = errors.map(({ code, cause }) => `${code} ${(cause as Error).message}`)
    assert.ok(messages.includes('BOUNDARY_FAILED half on purpose'), String(messages))
    assert.ok(
      messages.some(each => each.startsWith('BOUNDARY_LATE')),
      String(messages),
    )
  })

  test('with a mode that is none make no page', async t => {
    const { renderer, html, errors } = await start(t)
    await assert.rejects(html('/bad-mode'), { code: 'RENDER_FAILED' })
    await assert.rejects(renderer.stream({ url: '/', mode: 'fast' as never }), { code: 'RENDER_FAILED' })
    for (const { cause } of errors) assert.match(String(cause), /stream, static or string, not fast/)
  })

  test('may be aborted by the request, with a reason', async t => {
    const { renderer, errors } = await start(t)
    const late = new Promise(() => {})
    const [shell, part] = [new AbortController(), new AbortController()]
    const noShell = renderer.stream({ url: '/', props: { late }, abort: shell.signal })
    shell.abort(new RangeError('too much'))
    await assert.rejects(noShell, { code: 'RENDER_FAILED' })
    const { body } = await renderer.stream({ url: '/late-part', props: { late }, abort: part.signal })
    part.abort(new RangeError('enough'))
    assert.match(await text(body), /<p>.*waiting/)
    const messages = errors.map(({ code, cause }) => `${code} ${(cause as Error).message}`)
    assert.deepEqual(messages, ['RENDER_FAILED too much', 'BOUNDARY_FAILED enough'])
  })

  /** Starts a server of node:http, and one of Fastify. */
  async function serve(t: TestContext) {
    const { renderer } = await start(t)
    const late = Promise.withResolvers<string>()
    const server = createServer((request, response) =>
      renderer.reply(request, response, { props: { late: late.promise } }),
    )
    const app = fastify()
    app.get('/*', (request, reply) => renderer.reply(request, reply, { props: { late: late.promise } }))
    t.after(() => Promise.all([server.close(), app.close()]))
    const urls = [await listen(server, '127.0.0.1', 0), await app.listen({ host: '127.0.0.1', port: 0 })]
    return { urls, late }
  }

  test('send early hints before the page, and a page whose hint is none', async t => {
    const { urls, late } = await serve(t)
    for (const url of urls) {
      const request = get(`${url}/hints`).on('error', () => {})
      const [{ statusCode, headers }] = await once(request, 'information')
      assert.equal(statusCode, 103)
      assert.match(headers.link, /<https:\/\/fonts\.example>; rel=preconnect, <https:\/\/images/)
      request.destroy()
    }
    late.resolve('data')
    for (const url of urls) assert.equal((await fetch(`${url}/bad-hint`)).status, 200)
  })

  test('send no hints to HTTP/1.0, which has none', async t => {
    const { urls, late } = await serve(t)
    late.resolve('data')
    for (const url of urls) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write('GET /hints HTTP/1.0\r\nhost: localhost\r\n\r\n')
      assert.match(await text(socket), /^HTTP\/1\.1 200 /)
    }
  })
})

test('a service of node:http answers with a page of its own if there is no shell', async t => {
  const { renderer } = await startRenderer(t, './page-module.fixture.ts', {
    answerError({ statusCode }, { url }, response) {
      if (url === '/shell-throws?twice') throw new Error('on purpose')
      response.writeHead(statusCode, { 'content-type': 'text/html' }).end('<h1>Later</h1>')
    },
  })
  const server = createServer((request, response) => renderer.reply(request, response))
  t.after(() => server.close())
  const url = await listen(server, '127.0.0.1', 0)
  const response = await fetch(`${url}/shell-throws`)
  assert.deepEqual([response.status, await response.text()], [503, '<h1>Later</h1>'])
  const warned = once(process, 'warning')
  await assert.rejects(fetch(`${url}/shell-throws?twice`))
  assert.match(String(await warned), /on purpose/)
})

test('200 pages of one thread are each rendered in the asynchronous context of their own user', async t => {
  const limits = { shellTimeoutMs: Number.POSITIVE_INFINITY, pageTimeoutMs: Number.POSITIVE_INFINITY }
  const { html } = await startRenderer(t, './user-pages.fixture.ts', limits)
  const urls = Array.from({ length: 200 }, (_, index) =>
    index % 4 === 0 ? '/nobody' : `/${index % 2 ? 'enter' : 'run'}/user${index}`,
  )
  for (const mode of ['stream', 'static'] as const)
    await Promise.all(
      urls.map(async url => {
        const user = url.split('/')[2] ?? 'nobody'
        const seen = Array.from((await html(url, { mode })).matchAll(/<b>(.*?)<\/b>/g), ([, each]) => each)
        assert.deepEqual(seen, [`${user} ${user}`, `${user} ${user}`])
      }),
    )
})
