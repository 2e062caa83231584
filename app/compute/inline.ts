import { monotonicMs } from '../../lib/units.ts'
import { loadTasks } from '../../workers/execute.ts'
import { Problem } from '../problems.ts'
import { type CreateCompute, noChildren, type TaskResult } from './contract.ts'
import { resultOf } from './outcome.ts'

/** On the main thread, at once: everything else waits. */
export const createCompute: CreateCompute = async ({ tasksFile }) => {
  const execute = await loadTasks(tasksFile)
  return {
    async run(name, input, context) {
      if (context.gone) throw new Problem('CLIENT_GONE')
      const askedAtMs = monotonicMs()
      const reply = execute({ name, input, envelope: context.envelope() })
      return resultOf(reply, askedAtMs) as TaskResult<never>
    },
    childUsage: async () => noChildren,
    close: async () => {},
  }
}
