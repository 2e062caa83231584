import { firstStep, lastStep } from '../../app/steps.ts'
import { poolOf, type Row, rowOf, withApp } from '../sample/rows.ts'

/**
 * Ways to use so many cores: the monolith once a core, one app of the last step whose pools have so many threads, and
 * that app once a core with pools of one thread.
 */
export const equalCoresRows = (cores: number, threads: number): Row[] => [
  withApp(rowOf(firstStep, {}), { instances: cores }),
  poolOf(threads),
  withApp(rowOf(lastStep, {}), { instances: cores, threads: 1 }),
]
