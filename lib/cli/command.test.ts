import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
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
