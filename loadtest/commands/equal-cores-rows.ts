import { firstStep, lastStep } from '../../app/steps.ts'
import { poolOf, type Row, rowOf, withApp } from '../sample/rows.ts'

/**
 * The ways to use this many cores: the monolith once for each core, in a process or in a thread each; one app of the
 * last step with this many threads in each pool; and that app once for each core with pools of one thread.
 */
export const equalCoresRows = (cores: number, threads: number): Row[] => [
  withApp(rowOf(firstStep, {}), { instances: cores }),
  withApp(rowOf(firstStep, {}), { instances: cores, instancesAs: 'threads' }),
  poolOf(threads),
  withApp(rowOf(lastStep, {}), { instances: cores, threads: 1 }),
]
