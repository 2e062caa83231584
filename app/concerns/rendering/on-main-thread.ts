import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { PartCall, PartReply } from '../../../render/protocol.ts'
import { Problem } from '../../problems.ts'
import type { Rendering } from './contract.ts'
import { partOf } from './outcome.ts'

/** Renders on the main thread with the given function. All other work waits meanwhile. */
export const renderOnMainThread = (
  answer: (call: PartCall) => PartReply | Promise<PartReply>,
): Rendering => ({
  async render(context, call) {
    if (context.gone) throw new Problem('CLIENT_GONE')
    const askedAtMs = monotonicMs()
    return partOf(await answer(call), askedAtMs)
  },
  queue: mainThreadQueue,
  readPool: async () => undefined,
  close: async () => {},
})
