import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { BreakEvenResults } from '../../loadtest/commands/break-even/results.ts'
import { listDescendants } from '../../loadtest/sample/machine.ts'
import { until } from '../faults/fault.ts'
import { gone, runCommand, startCommand } from '../run-command.ts'

const FLAGS = ['--rounds', '9', '--json']

describe('break-even', { skip: !existsSync('/proc/self/stat') && 'processes are found by /proc' }, () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    test(`leaves no process behind on ${signal}`, async t => {
      const started = startCommand(t, 'loadtest/main.ts', ['break-even', ...FLAGS])
      const stdout = text(started.child.stdout as NodeJS.ReadableStream)
      const file = (await started.line(/results go to/)).split(' ').at(-1) as string
      t.after(() => rmSync(dirname(file), { recursive: true, force: true }))
      await started.line(/^\[block/)
      // Three processes: the command, a measured process, and one that this has started.
      let running = listDescendants()
      await until(() => {
        assert.equal(started.child.exitCode, null, `the command ended early: ${started.lines.join('\n')}`)
        running = listDescendants()
        return running.length >= 3
      })
      started.child.kill(signal)
      await started.ended
      await Promise.all(running.map(gone))
      if (signal === 'SIGKILL') return
      assert.match(started.lines.at(-1) ?? '', /^error: interrupted; the partial results are in /)
      const results = JSON.parse(await stdout) as BreakEvenResults
      assert.equal(results.kind, 'break-even')
      assert.equal(results.partial, true)
    })
  }

  test('answers a mistake with one line', async () => {
    const { stderr, code } = await runCommand('loadtest/main.ts', ['break-even', '--rounds', '10us'])
    assert.equal(code, 1)
    assert.match(stderr, /^error: --rounds expects an integer from 1 to 1000, received "10us"\n$/)
  })
})
