import { NOISY_WAIT, REFUSED_WAIT } from '../statistics/thresholds.ts'
import type { MachineUse } from './machine.ts'

/** A disturbance of a sample by the machine or its other programs. */
export interface Noise {
  readonly reason: string
  /** Whether the sample is refused; otherwise it counts, and is marked. */
  readonly refuses: boolean
}

/** Says how neighbours disturbed what was measured meanwhile; null when they did not, or the system does not tell. */
export function findNoise(machine: MachineUse | null): Noise | null {
  const waits = machine && findWaits(machine)
  if (!waits) return null
  const { neighbours, host } = waits
  const ratio = neighbours + host
  if (ratio <= NOISY_WAIT) return null
  const who = host > neighbours ? 'the host of this virtual machine' : 'other programs'
  return {
    reason: `${who} made the main thread wait ${ratio.toFixed(2)} ms for each ms that it ran`,
    refuses: ratio > REFUSED_WAIT,
  }
}

/**
 * A main thread also waits for threads of its own stack and for the load generator, so neighbours are answerable only for their
 * share of the CPU time in use. The time that the host took is not part of what Linux counts as waiting.
 */
function findWaits({ stealShare, othersShare, ownShare, waitRatio }: MachineUse) {
  const used = othersShare + ownShare
  if (waitRatio === null || used === 0) return null
  return { neighbours: (waitRatio * othersShare) / used, host: stealShare / used }
}
