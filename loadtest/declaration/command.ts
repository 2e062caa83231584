import type { Command } from '../../lib/cli/command.ts'
import type { OptionTable, Values } from '../../lib/cli/options.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import type { Presentation } from './presentation.ts'

/** Writes the report of a run beside its results. */
export type WriteReport = (run: SavedRun) => Promise<void>

/** A command of the load test. */
export interface LoadTestCommand<Table extends OptionTable = OptionTable>
  extends Omit<Command<Table>, 'run'> {
  /** @param report writes the report of what was measured */
  run(values: Values<Table>, words: readonly string[], report: WriteReport): Promise<void>
  /** How a run of this command is shown; absent when the command saves no run. */
  readonly presentation?: Presentation
}
