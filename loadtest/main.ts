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
  const { reportCommand } = await import('./report/write.ts')
  await runCommand(reportCommand, others)
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

async function report(run: SavedRun): Promise<void> {
  const { tryToReport } = await import('./report/write.ts')
  tryToReport(run)
}
