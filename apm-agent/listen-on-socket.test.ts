import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { UserError } from '../lib/cli/user-error.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { listenOnSocket } from './listen-on-socket.ts'

describe('the place of the socket', () => {
  test('is accessible to no other user', async t => {
    const path = await start(t)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
  })

  test('is taken over from an apm-agent that died, and not from a running one', async t => {
    const path = await start(t)
    const another = createServer()
    await assert.rejects(
      listenOnSocket(another, path),
      new UserError(`cannot listen on ${path} (EADDRINUSE); choose another with --apm-socket`),
    )
    // A server removes its socket by its original name, so a renamed socket stays behind.
    const stale = join(temporaryDirectory(t), 'agent.sock')
    const gone = createServer()
    await listenOnSocket(gone, `${stale}.new`)
    renameSync(`${stale}.new`, stale)
    gone.close()
    await once(gone, 'close')
    await listenOnSocket(another, stale)
    another.close()
  })

  test('is not made in place of a file, which is named in the error', async t => {
    const file = join(temporaryDirectory(t), 'precious')
    writeFileSync(file, 'kept')
    await assert.rejects(
      listenOnSocket(createServer(), file),
      /cannot listen on .*precious \(it exists and is no socket\); choose another with --apm-socket/,
    )
    assert.equal(readFileSync(file, 'utf8'), 'kept')
  })
})

/** @returns the path of the socket */
async function start(t: TestContext): Promise<string> {
  const path = join(temporaryDirectory(t), 'run', 'agent.sock')
  const server = createServer()
  t.after(() => server.close())
  await listenOnSocket(server, path)
  return path
}
