import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { transformSync } from 'esbuild'

const page = (what: string) => `
  export default ({ busyMs }) => {
    for (const until = performance.now() + busyMs; performance.now() < until; );
    return '${what}'
  }`

const index = JSON.stringify(new URL('./index.ts', import.meta.url))

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'development-'))
  return { folder, write: (name: string, source: string) => writeFileSync(join(folder, name), source) }
}

/** Starts a service that makes one page, and is stopped by its standard input. */
function start(t: TestContext, flags: readonly string[], options: string) {
  const { folder, write } = makeFolder()
  write('page.mjs', page('first'))
  write(
    'service.mjs',
    `import { text } from 'node:stream/consumers'
    import { createRenderer } from ${index}
    const renderer = await createRenderer({ app: new URL('./page.mjs', import.meta.url), threads: 1, ${options} })
    const made = renderer.stream({ url: '/', props: { busyMs: 1000 } })
    console.log(await made.then(({ body }) => text(body), error => error.code))
    process.stdin.once('end', () => process.exit()).resume()`,
  )
  const child = spawn(process.execPath, [...flags, join(folder, 'service.mjs')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(async () => {
    // With --watch, the service is a child of this process, and has its standard input.
    child.stdin.end()
    child.kill()
    await once(child, 'close')
    rmSync(folder, { recursive: true })
  })
  const lines = createInterface(child.stdout)
  const line = async () => String(await once(lines, 'line'))
  return { write, line }
}

test('with --watch, a change of a page that only a thread imports starts the service again', async t => {
  const { write, line } = start(t, ['--watch', '--watch-preserve-output'], '')
  assert.equal(await line(), 'first')
  write('page.mjs', page('second'))
  for (let told = ''; told !== 'second'; ) told = await line()
})

test('with --inspect, a thread that stands still for long is not taken for one that hangs', async t => {
  const { line } = start(t, ['--inspect=0'], 'shellTimeoutMs: 500')
  assert.equal(await line(), 'first')
})

describe('standard error', () => {
  const jsx = `
    const Item = ({ name }) => {
      if (name === 'bad') throw new RangeError('on purpose')
      return <li class="odd">{name}</li>
    }

    export default ({ names }) => <ul>{names.map(name => <Item name={name} />)}</ul>`
  const inThread = `
    import { text } from 'node:stream/consumers'
    import { createRenderer } from ${index}
    const renderer = await createRenderer({ app: new URL('./page.mjs', import.meta.url), threads: 1 })
    const make = names => renderer.stream({ url: '/', props: { names } }).then(({ body }) => text(body))
    await make(['good']).then(() => make(['bad'])).catch(() => renderer.close())`
  const onMain = `
    import { PassThrough } from 'node:stream'
    import { text } from 'node:stream/consumers'
    import { createElement } from 'react'
    import { renderToPipeableStream } from 'react-dom/server'
    import Page from './page.mjs'
    const make = names =>
      text(renderToPipeableStream(createElement(Page, { names }), { onError() {} }).pipe(new PassThrough()))
    await make(['good']).then(() => make(['bad'])).catch(() => {})`

  /** Runs a program whose page is built and minified. @returns what it writes to stderr */
  async function run(t: TestContext, program: string): Promise<string> {
    const { folder, write } = makeFolder()
    t.after(() => rmSync(folder, { recursive: true }))
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    const built = { loader: 'jsx', jsx: 'automatic', minify: true } as const
    write('page.mjs', transformSync(jsx, { ...built, sourcefile: 'page.jsx', sourcemap: 'inline' }).code)
    write('program.mjs', program)
    const args = ['--enable-source-maps', join(folder, 'program.mjs')]
    const env = { ...process.env, NODE_ENV: 'development' }
    return (await promisify(execFile)(process.execPath, args, { env })).stderr
  }

  test('has the warnings of React as on the main thread, and errors with their source and components', async t => {
    const [thread, main] = await Promise.all([run(t, inThread), run(t, onMain)])
    const [warnings = '', error] = thread.split(/\(node:\d+\) /)
    assert.match(warnings, /unique "key" prop.*Check the render method.*Invalid DOM property/s)
    assert.equal(warnings, main)
    assert.match(
      String(error),
      /RangeError.*: on purpose\n +at \S+ \(.*page\.jsx:3:\d+\).*Components:\n +at [^\n]*\n +at ul/s,
    )
  })
})
