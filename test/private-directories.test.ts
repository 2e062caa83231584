import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readFaultToken } from '../app/server/faults/token.ts'
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
})

test('the token of faults is one for all apps of this user, and only in a directory of this user', t => {
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  const scratch = temporaryDirectory(t)
  process.env.TMPDIR = scratch
  assert.equal(readFaultToken(), readFaultToken())
  const [directory] = readdirSync(scratch).map(name => join(scratch, name)) as [string]
  assert.deepEqual(readdirSync(directory), ['token'])
  const modes = [directory, join(directory, 'token')].map(path => statSync(path).mode & 0o777)
  assert.deepEqual(modes, [0o700, 0o600])
  chmodSync(directory, 0o777)
  assert.throws(readFaultToken, /others may write to it/)
})
