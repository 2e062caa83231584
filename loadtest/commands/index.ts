import type { LoadTestCommand } from '../declaration/command.ts'
import { aa } from './aa.ts'
import { ablation } from './ablation.ts'
import { breakEven } from './break-even.ts'
import { compare } from './compare.ts'
import { equalCores } from './equal-cores.ts'
import { floor } from './floor.ts'
import { gc } from './gc.ts'
import { history } from './history.ts'
import { idle } from './idle.ts'
import { isolation } from './isolation.ts'
import { nodes } from './nodes.ts'
import { open } from './open.ts'
import { runRows } from './run.ts'
import { slo } from './slo.ts'

/** The commands of the load test, by their names on the command line. */
export const commands: Readonly<Record<string, LoadTestCommand>> = {
  run: runRows,
  aa,
  open,
  slo,
  isolation,
  idle,
  floor,
  ablation,
  gc,
  'break-even': breakEven,
  'equal-cores': equalCores,
  compare,
  history,
  nodes,
}
