import { firstStep, lastStep } from '../../../app/steps.ts'
import { poolOf, type Row, rowOf, withApp } from '../../sample/rows.ts'

/**
 * The ways to use this many cores: the monolith once for each core, in a process or in a thread each; one app of the
 * last step with this many threads in each pool; and that app once for each core with pools of one thread. On one core,
 * rows that would be the same as another are left out: one instance always runs on the main thread of its process.
 */
export const equalCoresRows = (cores: number, threads: number): Row[] => [
  withApp(rowOf(firstStep, {}), { instances: cores }),
  ...(cores > 1 ? [withApp(rowOf(firstStep, {}), { instances: cores, instancesAs: 'threads' })] : []),
  poolOf(threads),
  ...(cores > 1 || threads > 1 ? [withApp(rowOf(lastStep, {}), { instances: cores, threads: 1 })] : []),
]
