import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { publishToken } from '../app/server/faults/token-file.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { runCommand } from './run-command.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** What writes to a directory, by the option that names it: another user could replace what is there. */
const starts = {
  'apm-agent': ['apm-agent/main.ts', (open: string) => ({ apmSocket: join(open, 'agent.sock') })],
  'logger-transport': ['logger-transport/main.ts', (open: string) => ({ logDir: open })],
  app: [
    'app/main.ts',
    (open: string) => ({ adminPort: 0, step: 'logging', apm: 'none', compute: 'inline', logDir: open }),
  ],
} as const

describe('a directory to which other users may write', () => {
  for (const [name, [file, optionsFor]] of Object.entries(starts))
    test(`is not used by ${name}`, async t => {
      const open = temporaryDirectory(t)
      chmodSync(open, 0o777)
      const { code, stderr } = await runCommand(file, toFlags({ port: 0, ...optionsFor(open) }))
      assert.match(
        stderr,
        /^error: cannot use .* \(others may write to it\); choose another directory with --/,
      )
      assert.equal(code, 1)
    })

  test('is not used for the token of faults', t => {
    const open = temporaryDirectory(t)
    chmodSync(open, 0o777)
    assert.throws(
      () => publishToken('secret', join(open, 'agent.sock'), 'http://127.0.0.1:3002'),
      /others may write to it/,
    )
  })
})
