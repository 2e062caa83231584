import type { Apm } from './concerns/apm/contract.ts'
import type { Compute } from './concerns/compute/contract.ts'
import { addDone, createPool, type Pool, poolReader } from './pool.ts'

/** Instruments compute: every task becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentTasks<Made extends Compute>(
  compute: Made,
  apm: Apm,
): Made & { readonly pool: Pool } {
  const pool = createPool('compute', () => compute.readPool())
  apm.watch(poolReader(pool))
  return {
    ...compute,
    pool,
    async run(context, ...tasks) {
      const spans = tasks.map(({ name }) => apm.startWork('task', name, context.span))
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results = await compute.run(context, ...traced)
        for (const [index, result] of results.entries()) {
          apm.endWork(spans[index], result)
          addDone(pool, result)
        }
        return results
      } catch (error) {
        for (const span of spans) apm.failWork(span, error as Error)
        throw error
      }
    },
  }
}
