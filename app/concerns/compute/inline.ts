import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { execute, loadTasks } from '../../../workers/execute.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import { type CreateCompute, jobFor, noChildren } from './contract.ts'
import { answerOf, resultsOf } from './outcome.ts'

/** Runs tasks at once on the main thread. All other work waits meanwhile. */
export const createCompute: CreateCompute = async ({ tasksFile, answersFile, logger }) => {
  const begin = await loadTasks({ tasksFile, answersFile })
  return {
    async run(context, ...tasks) {
      const asked = ask(context)
      return resultsOf(execute(begin, jobFor(context, tasks)), asked, logger)
    },
    async answer(context, input, ...tasks) {
      const asked = ask(context)
      return answerOf(execute(begin, jobFor(context, tasks, input)), asked, logger)
    },
    queue: mainThreadQueue,
    readPool: async () => undefined,
    childUsage: async () => noChildren,
    close: async () => {},
  }
}

function ask(context: RequestContext) {
  if (context.gone) throw new Problem('CLIENT_GONE')
  return { context, askedAtMs: monotonicMs() }
}
