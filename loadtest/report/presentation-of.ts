import { UserError } from '../../lib/cli/user-error.ts'
import { commands } from '../commands/index.ts'
import { runRows } from '../commands/run.ts'
import type { Presentation } from '../declaration/presentation.ts'
import type { SavedRun } from '../outcome/results.ts'

/**
 * How a run is shown, as its command declares it. Rows of a command that is not in the index, such as a bench, are shown
 * like those of `run`.
 * @throws UserError when there is no such command, and the run is not of rows
 */
export function presentationOf(run: SavedRun): Presentation {
  const { command } = run.settings
  const presentation = commands[command]?.presentation ?? ('steps' in run ? runRows.presentation : undefined)
  if (presentation) return presentation
  throw new UserError(`these are results of the command ${command}, which does not exist here`)
}
