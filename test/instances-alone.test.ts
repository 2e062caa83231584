import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { gone, runCommand, startCommand } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const onMainThread = { compute: 'inline', rendering: 'string', upstream: 'main', apm: 'none' }

describe('an app of two instances without a stack', () => {
  test('ends when the process that started its instances is killed', async t => {
    const { flags } = standalone(t)
    const started = startCommand(t, 'app/main.ts', flags)
    const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
    const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
    assert.equal(instances.length, 2)
    started.child.kill('SIGKILL')
    await Promise.all(instances.map(({ pid }) => gone(pid)))
  })

  test('gives up, and says so, when an instance dies again and again', async t => {
    const { flags, segments } = standalone(t)
    const started = startCommand(t, 'app/main.ts', flags)
    const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
    const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
    // From now on no instance can start.
    rmSync(segments, { recursive: true })
    writeFileSync(segments, '')
    const [first, second] = instances.map(({ pid }) => pid) as [number, number]
    process.kill(second, 'SIGKILL')
    assert.deepEqual(await started.ended, [1, null])
    assert.match(await started.line(/^error: /), /instance 2 .* restarts .*did not help; the app is stopped$/)
    await gone(first)
  })

  test('says in one line that its port is taken', async t => {
    const taken = createServer().listen(0, '127.0.0.1')
    t.after(() => taken.close())
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const flags = [...standalone(t).flags, `--port=${port}`]
    const { stderr, code } = await runCommand('app/main.ts', flags)
    assert.equal(code, 1)
    const message = `error: cannot listen on 127.0.0.1:${port} (EADDRINUSE); choose another with --port\n`
    assert.equal(stderr, message)
  })
})

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
