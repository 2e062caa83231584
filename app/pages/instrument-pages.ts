import type { Apm } from '../concerns/apm/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import { addDone, createPool, type Pool, poolReader } from '../pool.ts'
import { Problem, toProblem } from '../problems.ts'

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
    async render(page) {
      if (page.context.gone) throw new Problem('CLIENT_GONE')
      const span = apm.startWork('render', 'page', page.context.span)
      const onEnd: typeof page.onEnd = times => {
        addDone(pool, times)
        apm.endWork(span, times)
        page.onEnd(times)
      }
      try {
        return await rendering.render({ ...page, onEnd })
      } catch (error) {
        const problem = toProblem(error)
        apm.failWork(span, problem)
        throw problem
      }
    },
  }
}
