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

/**
 * Instruments rendering: every part becomes a span, and the pool is measured. Neither concern knows the other. A part
 * that is done after the end of its request has no span: that of the request may belong to another request by then.
 */
export function instrumentParts(rendering: Rendering, apm: Apm): InstrumentedRendering {
  const pool = createPool('rendering', () => rendering.readPool())
  apm.watch(poolReader(pool))
  const render: Rendering['render'] = async (context, call) => {
    const part = await rendering.render(context, call)
    addDone(pool, part)
    return part
  }
  return {
    ...rendering,
    pool,
    async render(context, call) {
      if (context.hasEnded) return render(context, call)
      const span = apm.startWork('part', call.name, context.span)
      try {
        const part = await render(context, call)
        apm.endWork(span, part)
        return part
      } catch (error) {
        apm.failWork(span, error as Error)
        throw error
      }
    },
    recordPart(context, name, askedAtMs, outcome) {
      const hasFailed = outcome instanceof Error
      if (!hasFailed) addDone(pool, outcome)
      if (context.hasEnded) return
      const span = apm.startWork('part', name, context.span, askedAtMs)
      if (hasFailed) apm.failWork(span, outcome)
      else apm.endWork(span, outcome)
    },
  }
}
