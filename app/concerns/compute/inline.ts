import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { loadTaskFile, runAtOnce } from '../../../workers/run-tasks.ts'
import { Problem } from '../../problems.ts'
import { resultsOf } from '../../task-outcome.ts'
import { type CreateCompute, callsFor, noChildren } from './contract.ts'

/** Runs tasks at once on the main thread. All other work waits meanwhile. */
export const createCompute: CreateCompute = async ({ tasksFile, logger }) => {
  const loaded = await loadTaskFile(tasksFile)
  return {
    async run(context, ...tasks) {
      if (context.gone) throw new Problem('CLIENT_GONE')
      const askedAtMs = monotonicMs()
      return resultsOf(runAtOnce(loaded, callsFor(context, tasks)), { context, askedAtMs }, logger)
    },
    queue: mainThreadQueue,
    readPool: async () => undefined,
    childUsage: async () => noChildren,
    close: async () => {},
  }
}
