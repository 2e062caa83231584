import { type Hang, hang } from '../../../lib/threads/hang.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Rendering } from '../../concerns/rendering/contract.ts'
import { GRACE_MS } from '../../pages/page-data.ts'
import { FaultRefused } from './stack-link.ts'

/**
 * Keeps a thread that renders from its work, by the prop `hang` of the page with faults. Without render threads it is the
 * main thread. Resolves when that is over.
 * @throws FaultRefused when the page cannot hang
 */
export async function hangRendering({ operated }: Rendering, order: Hang): Promise<void> {
  if (!operated) return hang(order)
  if (!operated.stream) throw new FaultRefused('this fault needs rendering/threads, whose page can hang')
  const page = { url: '/hang', props: { hang: order }, shellDeadline: monotonicMs() + order.forMs + GRACE_MS }
  // There is never a page: it fails when the hang is over, or when its thread was killed.
  await operated.stream(page).catch(() => {})
}
