import type { Apm } from '../apm/contract.ts'
import type { Compute, TaskResult } from './contract.ts'

/** Compute whose every task is recorded; the seam between the two concerns. */
export const observeTasks = (compute: Compute, apm: Apm): Compute => ({
  ...compute,
  async run(context, ...tasks) {
    const spans = tasks.map(({ name }) => apm.startTask(name, context.span))
    try {
      const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
      const results = await compute.run(context, ...traced)
      for (const [index, span] of spans.entries()) apm.endTask(span, results[index] as TaskResult<unknown>)
      return results as never
    } catch (error) {
      for (const span of spans) apm.failTask(span, error as Error)
      throw error
    }
  },
})
