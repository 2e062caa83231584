import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'

const page = (what: string) => `
  export default ({ busyMs }) => {
    for (const until = performance.now() + busyMs; performance.now() < until; );
    return '${what}'
  }`

/** Starts a service that makes one page, and is stopped by its standard input. */
function start(t: TestContext, flags: readonly string[], options: string) {
  const folder = mkdtempSync(join(tmpdir(), 'development-'))
  const write = (name: string, source: string) => writeFileSync(join(folder, name), source)
  write('page.mjs', page('first'))
  write(
    'service.mjs',
    `import { text } from 'node:stream/consumers'
    import { createRenderer } from ${JSON.stringify(new URL('./index.ts', import.meta.url))}
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
