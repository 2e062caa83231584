import type { Apm } from '../apm/contract.ts'
import { poolReader } from '../pool.ts'
import type { Compute, TaskResult } from './contract.ts'

/** Compute whose every task is recorded, and whose pool is watched; the seam between the two concerns. */
export function observeTasks(compute: Compute, apm: Apm): Compute {
  const done = { tasks: 0, waitMs: 0, runMs: 0 }
  apm.watch(poolReader('compute', () => compute.readPool(), done))
  return {
    ...compute,
    async run(context, ...tasks) {
      const spans = tasks.map(({ name }) => apm.startWork('task', name, context.span))
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results: readonly TaskResult<unknown>[] = await compute.run(context, ...traced)
        for (const [index, result] of results.entries()) {
          apm.endWork(spans[index], result)
          done.tasks++
          done.waitMs += result.waitMs
          done.runMs += result.runMs
        }
        return results as never
      } catch (error) {
        for (const span of spans) apm.failWork(span, error as Error)
        throw error
      }
    },
  }
}
