import type { Apm } from '../apm/contract.ts'
import type { Compute, TaskResult } from './contract.ts'

/** Compute whose every task is recorded; the seam between the two concerns. */
export const observeTasks = (compute: Compute, apm: Apm): Compute => ({
  ...compute,
  async run(context, ...tasks) {
    const spans = tasks.map(({ name }) => apm.startTask(name))
    try {
      const traced = tasks.map((task, index) => ({ ...task, traceparent: spans[index]?.traceparent }))
      const results = await compute.run(context, ...traced)
      for (const [index, span] of spans.entries()) span.end(results[index] as TaskResult<unknown>)
      return results as never
    } catch (error) {
      for (const span of spans) span.fail(error as Error)
      throw error
    }
  },
})
