import { monotonicMs } from '../../../lib/units.ts'
import { loadTasks } from '../../../workers/execute.ts'
import type { RequestContext } from '../../context.ts'
import { mainThreadQueue } from '../../overload/queue.ts'
import { Problem } from '../../problems.ts'
import { type CreateCompute, jobFor, noChildren } from './contract.ts'
import { answerOf, resultsOf } from './outcome.ts'

/** Runs tasks at once on the main thread. All other work waits meanwhile. */
export const createCompute: CreateCompute = async ({ tasksFile, answersFile, logger }) => {
  const execute = await loadTasks({ tasksFile, answersFile })
  return {
    async run(context, ...tasks) {
      const asked = begin(context)
      return resultsOf(execute(jobFor(context, tasks)), asked, logger)
    },
    async answer(context, input, ...tasks) {
      const asked = begin(context)
      return answerOf(execute(jobFor(context, tasks, input)), asked, logger)
    },
    queue: mainThreadQueue,
    readPool: async () => undefined,
    childUsage: async () => noChildren,
    close: async () => {},
  }
}

function begin(context: RequestContext) {
  if (context.gone) throw new Problem('CLIENT_GONE')
  return { context, askedAtMs: monotonicMs() }
}
