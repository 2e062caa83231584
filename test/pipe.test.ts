import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { hasEnded } from '../lib/os/process.ts'
import { startCommand } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ROOT = join(import.meta.dirname, '..')

/** Starts the app with its stdout piped into a logger-transport, as a person does on a command line. */
async function start(t: TestContext) {
  const directory = temporaryDirectory(t)
  const logFile = join(directory, 'app.log')
  const ports = ['--port', '0', '--admin-port', '0', '--orders-port', '0']
  const stack = startCommand(t, 'stack/main.ts', [
    ...ports,
    '--logging',
    'sidecar',
    '--log-to',
    'stdout',
    '--threads',
    '1',
    '--apm',
    'none',
  ])
  // `spawn` connects stdin to a socket. With `cat` in between it is a pipe, as in a shell.
  const reader = spawn(
    'sh',
    ['-c', `cat | exec "${process.execPath}" logger-transport/main.ts --port 0 --log-file "${logFile}"`],
    {
      cwd: ROOT,
      stdio: [stack.child.stdout, 'ignore', 'ignore'],
      detached: true,
    },
  )
  // The pipe breaks when its reader ends only if no other process can read it, so this process closes its end.
  stack.child.stdout?.destroy()
  const ended = once(reader, 'exit')
  const killReader = () => {
    if (!hasEnded(reader)) process.kill(-(reader.pid as number), 'SIGKILL')
  }
  t.after(killReader)
  const url = (await stack.line(/^ +try /)).split(' ').at(-1)?.replace(/\/$/, '') as string
  return { stack, url, logFile, ended, killReader }
}

describe('the app piped into logger-transport', () => {
  test('delivers every line, and both end with Ctrl-C on the app', async t => {
    const { stack, url, logFile, ended } = await start(t)
    for (let asked = 0; asked < 5; asked++) await fetch(`${url}/log?count=200`)
    stack.child.kill('SIGINT')
    assert.deepEqual(await stack.ended, [0, null])
    await ended
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => JSON.parse(line).sequence),
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
  })

  test('goes on serving when the reader is killed', async t => {
    const { stack, url, ended, killReader } = await start(t)
    await fetch(`${url}/log?count=200`)
    killReader()
    await ended
    for (let asked = 0; asked < 5; asked++) {
      assert.equal((await fetch(`${url}/log?count=1000`)).status, 200)
    }
    stack.child.kill('SIGTERM')
    assert.deepEqual(await stack.ended, [0, null])
  })
})
