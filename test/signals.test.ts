import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { lastStep } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { until } from './faults/fault.ts'
import { childrenOf, gone, startCommand } from './run-command.ts'
import { FREE_PORTS } from './stack-parts.ts'
import { frugalFlags } from './start-stack.ts'
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

/**
 * Starts a command as a terminal does, and presses Ctrl-C as soon as it has a number of processes, the last of which is just
 * starting.
 * @returns the exit code, and the lines that followed
 */
async function interrupt(
  t: TestContext,
  file: string,
  flags: readonly string[],
  processes: number,
  after?: RegExp,
) {
  const started = startCommand(t, file, flags, { detached: true })
  const pid = started.child.pid as number
  const line = after ? await started.line(after) : ''
  await until(() => childrenOf(pid).length === processes)
  const [children, { length }] = [childrenOf(pid), started.lines]
  process.kill(-pid, 'SIGINT')
  const [code] = await started.ended
  await Promise.all(children.map(gone))
  return { code, line, lines: started.lines.slice(length) }
}

describe('Ctrl-C during the start', () => {
  for (const processes of [1, 2, 3])
    test(`of process ${processes} of a stack is silent, and leaves no process`, async t => {
      const flags = [...FREE_PORTS, ...frugalFlags(t)]
      const { code, lines } = await interrupt(t, 'stack/main.ts', flags, processes)
      assert.deepEqual([code, lines], [0, []])
    })

  test('of the first sample is told in one line, and leaves no process and no results', async t => {
    const flags = ['--steps', lastStep.name, '--rounds', '1', '--spectrum', 'no']
    const { code, line, lines } = await interrupt(t, 'loadtest/main.ts', flags, 1, /results go to/)
    assert.deepEqual(
      [code, lines.filter(each => !/^watch /.test(each))],
      [1, ['error: interrupted before a sample was taken']],
    )
    assert.equal(existsSync(line.split(' ').at(-1) as string), false)
  })
})
