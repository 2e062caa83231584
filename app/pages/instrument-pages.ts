import type { Apm } from '../concerns/apm/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import { addDone, createPool, type Pool, poolReader } from '../pool.ts'

export interface InstrumentedRendering extends Rendering {
  readonly pool: Pool
}

/** Instruments rendering: every page becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentPages(rendering: Rendering, apm: Apm): InstrumentedRendering {
  const pool = createPool('rendering', () => rendering.readPool())
  apm.watch(poolReader(pool))
  return {
    ...rendering,
    pool,
    render(page) {
      const span = apm.startWork('render', 'page', page.context.span)
      return rendering.render({
        ...page,
        onEnd(outcome) {
          if (outcome instanceof Error) apm.failWork(span, outcome)
          else {
            addDone(pool, outcome)
            apm.endWork(span, outcome)
          }
          page.onEnd(outcome)
        },
      })
    },
  }
}
