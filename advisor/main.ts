#!/usr/bin/env node
import { runCommand } from '../lib/cli/command.ts'
import type { OptionTable } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { commands } from './commands/index.ts'

const names = Object.keys(commands)
const [first = '', ...args] = process.argv.slice(2)
const command = commands[first]

if (command) await runCommand(command, args)
else {
  const isHelp = first === '' || first === '--help' || first === '-h'
  await runCommand(
    {
      usage: `main-thread ${names.join('|')} [options]`,
      description: `Says what the main thread of a Node.js service is busy with, what moving it away could bring, and whether it did. Each command has its own --help: ${names.join(', ')}.`,
      options: {} as OptionTable,
      async run() {
        throw new UserError(`there is no command "${first}"; the commands are ${names.join(', ')}`)
      },
    },
    isHelp ? ['--help'] : [],
  )
}
