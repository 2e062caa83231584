import type { PartName } from '../../../render/protocol.ts'
import type { RequestContext } from '../../context.ts'
import { addDone, createPool, type Pool, poolReader } from '../../pool.ts'
import type { Apm, WorkTimes } from '../apm/contract.ts'
import type { Rendering } from './contract.ts'

/**
 * Records a part of a page that was made in one piece.
 * @param askedAtMs the arrival of its data by the monotonic clock
 * @param outcome its times, or the reason why it failed
 */
export type RecordPart = (
  context: RequestContext,
  name: PartName,
  askedAtMs: number,
  outcome: WorkTimes | Error,
) => void

export interface InstrumentedRendering extends Rendering {
  readonly pool: Pool
  readonly recordPart: RecordPart
}

/** Instruments rendering: every part becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentParts(rendering: Rendering, apm: Apm): InstrumentedRendering {
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
    recordPart({ span: parent }, name, askedAtMs, outcome) {
      const span = apm.startWork('part', name, parent, askedAtMs)
      if (outcome instanceof Error) return apm.failWork(span, outcome)
      apm.endWork(span, outcome)
      addDone(pool, outcome)
    },
  }
}
