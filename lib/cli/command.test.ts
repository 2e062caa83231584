import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { runCommand } from './command.ts'

test('options behind -- are left to the program that a command starts', async () => {
  const ran: (readonly string[])[] = []
  const command = {
    usage: 'command -- PROGRAM…',
    description: '',
    options: {},
    takesWords: true,
    async run(_: object, words: readonly string[]) {
      ran.push(words)
    },
  }
  await runCommand(command, ['--', 'node', 'cli.js', '-h', '0.0.0.0', '--help'])
  assert.deepEqual(ran, [['node', 'cli.js', '-h', '0.0.0.0', '--help']])
})

test('a command ends without an error when nobody reads its output any more', async () => {
  const code = `import { runCommand } from '${join(import.meta.dirname, 'command.ts')}'
    const run = async () => void setInterval(() => process.stdout.write('line\\n'.repeat(1000)))
    await runCommand({ usage: '', description: '', options: {}, run })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.deepEqual([said, exitCode], ['', 0])
})

/** Runs a command with two options as npm runs a script, and returns what it says on stderr and on stdout. */
async function runByNpm(script: string, args: readonly string[], taken: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'command-'))
  const file = join(directory, 'main.ts')
  writeFileSync(
    file,
    `import { runCommand } from '${join(import.meta.dirname, 'command.ts')}'
     import { text, toggle } from '${join(import.meta.dirname, 'options.ts')}'
     const options = { load: text({ placeholder: 'N', help: '' }), orderLatencyMs: text({ placeholder: 'T', help: '' }), quick: toggle({ help: '' }) }
     await runCommand({ usage: '', description: '', options, takesWords: true, run: async () => console.log('ran') })`,
  )
  const variables = Object.entries(taken).map(([name, value]) => [`npm_config_${name}`, value])
  const child = spawn(process.execPath, ['main.ts', ...args], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      npm_lifecycle_event: script,
      npm_lifecycle_script: 'node main.ts',
      ...Object.fromEntries(variables),
    },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  rmSync(directory, { recursive: true })
  return stdout + stderr
}

describe('flags that npm has taken', () => {
  for (const [script, args, taken, said] of [
    ['start', ['50'], { load: 'true' }, /^error: npm took --load for itself; .*: npm start -- --load\n$/],
    [
      'loadtest',
      [],
      { order_latency: '5ms', quick: 'true' },
      /^error: npm took --order-latency, --quick for .*: npm run loadtest -- /,
    ],
    ['loadtest', ['--quick'], { quick: 'true' }, /^ran$/m],
    ['loadtest', [], { quick: '', audit: 'true' }, /^ran$/m],
  ] as const)
    test(`are named: ${JSON.stringify(taken)} with ${JSON.stringify(args)}`, async () =>
      assert.match(await runByNpm(script, args, taken), said))
})
