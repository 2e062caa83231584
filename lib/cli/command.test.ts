import assert from 'node:assert/strict'
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
