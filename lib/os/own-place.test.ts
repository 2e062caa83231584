import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { ownPlace } from './own-place.ts'

const VARIABLE = 'DMT_STACK_DIRECTORY'
const options = { isDirectory: true, flag: '--log-dir' }

const OWNER = `import { ownPlace } from ${JSON.stringify(join(import.meta.dirname, 'own-place.ts'))}
await ownPlace(JSON.parse(process.argv[1]))
console.log('mine')
process.stdin.resume()`

/** Starts a process of a stack that owns a directory until it is killed. */
async function startOwner(t: TestContext, path: string, stack: string) {
  const args = [
    '--input-type=module',
    '--eval',
    OWNER,
    '--',
    JSON.stringify({ ...options, path, name: 'first' }),
  ]
  const env = { ...process.env, [VARIABLE]: stack }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Wants to own a place as if this process were one of another stack. @returns the refusal, if it is one */
async function want(t: TestContext, stack: string, place: { path: string; isDirectory?: boolean }) {
  const before = process.env[VARIABLE]
  t.after(() => {
    if (before === undefined) delete process.env[VARIABLE]
    else process.env[VARIABLE] = before
  })
  process.env[VARIABLE] = stack
  const wanted = { ...options, name: 'second', ...place }
  return ownPlace(wanted).then(
    () => 'mine',
    (error: Error) => error.message,
  )
}

describe('a place with one owner', () => {
  test('is refused to others by the name of its owner, shared within a stack, and free after SIGKILL', async t => {
    const path = temporaryDirectory(t)
    const owner = await startOwner(t, path, '/one')
    const refused = (name: string, { pid }: { readonly pid?: number | undefined }) =>
      `cannot use ${path} (${name}, process ${pid}, uses it); choose another with --log-dir`
    assert.equal(await want(t, '/other', { path }), refused('first', owner))
    assert.equal(await want(t, '/one', { path }), 'mine')
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    // The owner that is left learns of the end by its connection.
    while ((await want(t, '/one', { path })) !== 'mine') await turn()
    assert.equal(await want(t, '/other', { path }), refused('second', process))
  })

  test('is the directory itself, whatever its name, and each file in it is another', async t => {
    const path = temporaryDirectory(t)
    await want(t, '/one', { path })
    const renamed = `${path}-renamed`
    renameSync(path, renamed)
    t.after(() => rmSync(renamed, { recursive: true }))
    assert.match(await want(t, '/other', { path: renamed }), /uses it/)
    for (const name of ['a', 'b'])
      assert.equal(await want(t, '/other', { path: join(renamed, name), isDirectory: false }), 'mine')
  })
})
