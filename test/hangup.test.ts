import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { until } from './faults/fault.ts'

const ROOT = join(import.meta.dirname, '..')

/** Starts a process that handles signals as all processes of a stack do, and waits until it listens. */
async function start(
  t: TestContext,
  launch: (command: readonly string[]) => { child: ChildProcess; output: Readable | null },
) {
  const directory = mkdtempSync(join(tmpdir(), 'hangup-'))
  const file = 'apm-agent/main.ts'
  const flags = toFlags({ port: 0, apmSocket: join(directory, 'agent.sock') })
  const { child, output } = launch([process.execPath, join(ROOT, file), ...flags])
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(directory, { recursive: true })
  })
  const lines = createInterface({ input: output as Readable })
  for (;;) {
    const [line] = await Promise.race([
      once(lines, 'line'),
      ended.then(() => assert.fail(`${file} has ended`)),
    ])
    const [, url] = / listens on (http:\S+)/.exec(line) ?? []
    if (url) return { directory, child, ended, url }
  }
}

const withoutTerminal = ([file = '', ...args]: readonly string[]) => {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  return { child, output: child.stderr }
}

/** `script` gives its command a terminal, which is gone when `script` is. */
const inTerminal = (command: readonly string[]) => {
  const child = spawn('script', ['-qec', `exec ${command.join(' ')}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return { child, output: child.stdout }
}

describe('SIGHUP', () => {
  test('does not stop a process without a terminal, as under nohup; SIGTERM does', async t => {
    const { child, ended, url } = await start(t, withoutTerminal)
    for (let count = 0; count < 3; count++) {
      child.kill('SIGHUP')
      await fetch(url)
    }
    assert.deepEqual([child.exitCode, child.signalCode], [null, null])
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  test('stops a process in order whose terminal is closed', async t => {
    const { directory, child } = await start(t, inTerminal)
    const socket = join(directory, 'agent.sock')
    assert.ok(existsSync(socket))
    child.kill('SIGKILL')
    await until(() => !existsSync(socket))
  })
})
