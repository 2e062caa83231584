import { UserError } from '../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import type { Presentation } from '../declaration/presentation.ts'
import type { SavedRun } from '../outcome/results.ts'
import { aa } from './aa.ts'
import { breakEven } from './break-even/command.ts'
import { cores } from './cores/command.ts'
import { equalCores } from './equal-cores.ts'
import { idle } from './idle.ts'
import { isolation } from './isolation.ts'
import { open } from './open.ts'
import { peersCommand } from './peers.ts'
import { runRows } from './run.ts'

export const commands: Readonly<Record<string, LoadTestCommand>> = {
  run: runRows,
  aa,
  open,
  isolation,
  idle,
  'break-even': breakEven,
  cores,
  'equal-cores': equalCores,
  peers: peersCommand,
}

/**
 * As the command of the run declares; rows of a command that is not here are shown like those of `run`.
 * @throws UserError when there is no such command, and the run is not of rows
 */
export function presentationOf(run: SavedRun): Presentation {
  const { command } = run.settings
  const presentation = commands[command]?.presentation ?? ('steps' in run ? runRows.presentation : undefined)
  if (presentation) return presentation
  throw new UserError(`these are results of the command ${command}, which does not exist here`)
}
