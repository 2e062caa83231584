import { runCommand } from '../lib/cli/command.ts'
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
  process.stderr.write(`error: there is no command "${first}"; the commands are ${names.join(', ')}\n`)
  process.exit(1)
}

async function report(run: SavedRun): Promise<void> {
  const { tryToReport } = await import('./report/write.ts')
  tryToReport(run)
}
