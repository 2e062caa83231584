import type { Apm } from '../apm/contract.ts'
import { poolReader } from '../pool.ts'
import type { Rendering } from './contract.ts'

/** Rendering whose every part is recorded, and whose pool is watched; the seam between the two concerns. */
export function observeParts(rendering: Rendering, apm: Apm): Rendering {
  const done = { tasks: 0, waitMs: 0, runMs: 0 }
  apm.watch(poolReader('rendering', () => rendering.readPool(), done))
  return {
    ...rendering,
    async render(context, call) {
      const span = apm.startWork('part', call.name, context.span)
      try {
        const part = await rendering.render(context, call)
        apm.endWork(span, part)
        done.tasks++
        done.waitMs += part.waitMs
        done.runMs += part.runMs
        return part
      } catch (error) {
        apm.failWork(span, error as Error)
        throw error
      }
    },
  }
}
