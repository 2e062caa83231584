import type { LoadTestCommand } from '../declaration/command.ts'
import { aa } from './aa.ts'
import { breakEven } from './break-even/command.ts'
import { compare } from './compare.ts'
import { cores } from './cores/command.ts'
import { equalCores } from './equal-cores.ts'
import { idle } from './idle.ts'
import { isolation } from './isolation.ts'
import { open } from './open.ts'
import { peersCommand } from './peers/command.ts'
import { runRows } from './run.ts'

/** The commands of the load test, by their names on the command line. */
export const commands: Readonly<Record<string, LoadTestCommand>> = {
  run: runRows,
  aa,
  open,
  isolation,
  idle,
  'break-even': breakEven,
  cores,
  'equal-cores': equalCores,
  compare,
  peers: peersCommand,
}
