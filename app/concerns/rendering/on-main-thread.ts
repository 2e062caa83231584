import { monotonicMs } from '../../../lib/units.ts'
import type { PartCall, PartReply } from '../../../render/protocol.ts'
import { mainThreadLane } from '../../overload/lane.ts'
import { Problem } from '../../problems.ts'
import type { Rendering } from './contract.ts'
import { partOf } from './outcome.ts'

/** Rendering on the main thread, by whatever answers a call: everything else waits. */
export const renderOnMainThread = (
  answer: (call: PartCall) => PartReply | Promise<PartReply>,
): Rendering => ({
  async render(context, call) {
    if (context.gone) throw new Problem('CLIENT_GONE')
    const askedAtMs = monotonicMs()
    return partOf(await answer(call), askedAtMs)
  },
  lane: mainThreadLane,
  readPool: async () => undefined,
  close: async () => {},
})
