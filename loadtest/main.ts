import { runCommand } from '../lib/cli/command.ts'
import type { OptionTable } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { commands } from './commands/index.ts'
import type { SavedRun } from './outcome/results.ts'

const REPORT = 'report'
const names = [...Object.keys(commands), REPORT]
const [first = '', ...others] = process.argv.slice(2)
const isNamed = first !== '' && !first.startsWith('-')
const named = commands[isNamed ? first : 'run']

if (first === REPORT) {
  // It measures nothing, and has other options than a command that does.
  process.argv.splice(2, 1)
  await import('./report/main.ts')
} else if (named) {
  const description = isNamed
    ? named.description
    : `${named.description}\n\nOther commands, each with its own --help: ${names.filter(name => name !== 'run').join(', ')}`
  await runCommand(
    { ...named, description, run: (values, words) => named.run(values, words, report) },
    isNamed ? others : process.argv.slice(2),
  )
} else {
  await runCommand(
    {
      usage: 'npm run loadtest -- [command] [options]',
      description: `The commands are ${names.join(', ')}`,
      options: Object.assign({}, ...Object.values(commands).map(({ options }) => options)) as OptionTable,
      async run() {
        throw new UserError(`there is no command "${first}"; the commands are ${names.join(', ')}`)
      },
    },
    [],
  )
}

/** Writes the report of a run; the libraries that draw it are loaded only then. */
async function report(run: SavedRun): Promise<void> {
  const { tryToReport } = await import('./report/write.ts')
  tryToReport(run)
}
