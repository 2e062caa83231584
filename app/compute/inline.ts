import { monotonicMs } from '../../lib/units.ts'
import { loadTasks } from '../../workers/execute.ts'
import { Problem } from '../problems.ts'
import { type CreateCompute, callsFor, noChildren } from './contract.ts'
import { resultsOf } from './outcome.ts'

/** On the main thread, at once: everything else waits. */
export const createCompute: CreateCompute = async ({ tasksFile, logger }) => {
  const execute = await loadTasks(tasksFile)
  return {
    async run(context, ...tasks) {
      if (context.gone) throw new Problem('CLIENT_GONE')
      const askedAtMs = monotonicMs()
      return resultsOf(execute(callsFor(context, tasks)), { context, askedAtMs }, logger) as never
    },
    readPool: async () => undefined,
    childUsage: async () => noChildren,
    close: async () => {},
  }
}
