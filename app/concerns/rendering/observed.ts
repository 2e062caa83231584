import { addDone, createPool, type Pool, poolReader } from '../../pool.ts'
import type { Apm } from '../apm/contract.ts'
import type { Rendering } from './contract.ts'

/** Rendering whose every part is recorded, and whose pool is watched; the seam between the two concerns. */
export function observeParts(rendering: Rendering, apm: Apm): Rendering & { readonly pool: Pool } {
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
