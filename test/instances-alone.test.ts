import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { listen } from '../lib/http/listen.ts'
import { gone, runCommand, startCommand } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const onMainThread = { compute: 'inline', rendering: 'string', upstream: 'main', apm: 'none' }

describe('an app of two instances without a stack', () => {
  test('ends when the process that started its instances is killed', async t => {
    const { flags } = standalone(t)
    const { started, pids } = await start(t, flags)
    assert.equal(pids.length, 2)
    started.child.kill('SIGKILL')
    await Promise.all(pids.map(gone))
  })

  test('gives up, and says so, when an instance dies again and again', async t => {
    const { flags, segments } = standalone(t)
    const { started, pids } = await start(t, flags)
    // From now on no instance can start.
    rmSync(segments, { recursive: true })
    writeFileSync(segments, '')
    const [first, second] = pids as [number, number]
    process.kill(second, 'SIGKILL')
    assert.deepEqual(await started.ended, [1, null])
    assert.match(await started.line(/^error: /), /instance 2 .* restarts .*did not help; the app is stopped$/)
    await gone(first)
  })

  test('says in one line that its port is taken', async t => {
    const taken = createServer()
    t.after(() => taken.close())
    const { port } = new URL(await listen(taken, '127.0.0.1', 0))
    const flags = [...standalone(t).flags, `--port=${port}`]
    const { stderr, code } = await runCommand('app/main.ts', flags)
    assert.equal(code, 1)
    const message = `error: cannot listen on 127.0.0.1:${port} (EADDRINUSE); choose another with --port\n`
    assert.equal(stderr, message)
  })
})

async function start(t: TestContext, flags: readonly string[]) {
  const started = startCommand(t, 'app/main.ts', flags)
  const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
  const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
  return { started, pids: instances.map(({ pid }) => pid) }
}

/** Flags of an app that needs no other process, and whose instances start no thread. */
function standalone(t: TestContext) {
  const directory = temporaryDirectory(t)
  const segments = join(directory, 'segments')
  const files = [`--log-file=${join(directory, 'app.log')}`, `--log-dir=${segments}`]
  return {
    segments,
    flags: ['--instances=2', '--port=0', '--admin-port=0', ...toFlags(onMainThread), ...files],
  }
}
