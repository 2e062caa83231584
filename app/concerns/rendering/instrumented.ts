import { addDone, createPool, type Pool, poolReader } from '../../pool.ts'
import type { Apm } from '../apm/contract.ts'
import type { Rendering } from './contract.ts'

/** Instruments rendering: every part becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentParts(rendering: Rendering, apm: Apm): Rendering & { readonly pool: Pool } {
  const pool = createPool('rendering', () => rendering.readPool())
  apm.watch(poolReader(pool))
  return {
    ...rendering,
    pool,
    async render(context, call) {
      const span = apm.startWork('part', call.name, context.span)
      try {
        const part = await rendering.render(context, call)
        apm.endWork(span, part)
        addDone(pool, part)
        return part
      } catch (error) {
        apm.failWork(span, error as Error)
        throw error
      }
    },
  }
}
