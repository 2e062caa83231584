import type { Command } from '../../lib/cli/command.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import { tryToReport } from './try-to-report.ts'

/** The command as the command line runs it: it ends with a report beside its results. */
export const withReport = <Table extends OptionTable>(command: LoadTestCommand<Table>): Command<Table> => ({
  ...command,
  run: (values, words) => command.run(values, words, tryToReport),
})
