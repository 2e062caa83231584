import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const IMPORT = `import { joinStack } from ${JSON.stringify(join(import.meta.dirname, 'join-stack.ts'))}`

/** Starts a process with this `close`, sends it SIGTERM, and waits for its end. */
async function stop(close: string) {
  const program = `${IMPORT}
const close = ${close}
joinStack({ name: 'it', addresses: { http: 'here' }, close, stopLimitMs: 50 })
setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  await once(child.stderr, 'data')
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'exit')
  return { end: signal ?? code, said: await said }
}

test('a process ends on SIGTERM also if its end fails or hangs, and says so', async () => {
  const [hanging, failing] = await Promise.all([
    stop('() => new Promise(() => {})'),
    stop('() => Promise.reject(new Error("no"))'),
  ])
  assert.equal(hanging.end, 'SIGKILL')
  assert.match(hanging.said, /^it did not stop within .* and ends at once$/m)
  assert.equal(failing.end, 1)
  assert.match(failing.said, /^Error: no$/m)
})
