import type { Command } from '../../lib/command.ts'
import type { OptionTable } from '../../lib/options.ts'
import { aa } from './aa.ts'
import { ablation } from './ablation.ts'
import { breakEven } from './break-even.ts'
import { compare } from './compare.ts'
import { equalCores } from './equal-cores.ts'
import { gc } from './gc.ts'
import { isolation } from './isolation.ts'
import { open } from './open.ts'
import { runRows } from './run.ts'

/** What the load test can be asked. */
export const commands: Readonly<Record<string, Command<OptionTable>>> = {
  run: runRows,
  aa,
  open,
  isolation,
  ablation,
  gc,
  'break-even': breakEven,
  'equal-cores': equalCores,
  compare,
}
