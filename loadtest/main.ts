import { runCommand } from '../lib/command.ts'
import { UserError } from '../lib/user-error.ts'
import { abortWhenAsked } from './abort.ts'
import { loadtestOptions, settingsFrom } from './options.ts'
import { selectRows } from './rows.ts'
import { run } from './run.ts'
import { renderTable } from './table.ts'

await runCommand({
  usage: 'npm run loadtest -- [run] [options]',
  description: `Puts each step under load in a fresh stack and says what it costs the main thread.
  run  measures the rows that --steps or --step name; the command when none is given`,
  options: loadtestOptions,
  takesWords: true,
  async run(options, words) {
    const [command = 'run', ...others] = words
    if (command !== 'run' || others.length > 0) {
      throw new UserError(`there is no command "${words.join(' ')}"; the commands are run`)
    }
    const rows = selectRows(options.steps, options.step, options)
    const results = await run(rows, settingsFrom(options), abortWhenAsked())
    process.stdout.write(
      options.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${renderTable(results.steps)}\n`,
    )
    const poor = results.steps.filter(({ samples }) => !samples.some(({ valid }) => valid))
    if (poor.length > 0) throw new UserError(`no valid sample of ${poor.map(({ name }) => name).join(', ')}`)
  },
})
