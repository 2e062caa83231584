import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { until } from './faults/fault.ts'
import { startCommand } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A process that handles signals as all processes of a stack do, and says that it listens. */
const FILE = 'apm-agent/main.ts'

function place(t: TestContext) {
  const socket = join(temporaryDirectory(t), 'agent.sock')
  return { socket, flags: toFlags({ port: 0, apmSocket: socket }) }
}

describe('SIGHUP', () => {
  test('does not stop a process without a terminal, as under nohup; SIGTERM does', async t => {
    const { child, ended, line } = startCommand(t, FILE, place(t).flags)
    const [, url = ''] = / listens on (http:\S+)/.exec(await line(/ listens on http:/)) ?? []
    for (let count = 0; count < 3; count++) {
      child.kill('SIGHUP')
      await fetch(url)
    }
    assert.deepEqual([child.exitCode, child.signalCode], [null, null])
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  test('stops a process in order whose terminal is closed', async t => {
    const { socket, flags } = place(t)
    // `script` gives its command a terminal, which is gone when `script` is.
    const command = ['exec', process.execPath, FILE, ...flags].join(' ')
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines = createInterface({ input: child.stdout })
    while (!/ listens on http:/.test((await once(lines, 'line'))[0]));
    assert.ok(existsSync(socket))
    child.kill('SIGKILL')
    await until(() => !existsSync(socket))
  })
})
