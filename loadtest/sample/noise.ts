import { NOISY_WAIT, REFUSED_OTHERS, REFUSED_WAIT } from '../statistics/thresholds.ts'
import type { MachineUse } from './machine.ts'

/** A disturbance of a sample by the machine or its other programs. */
export interface Noise {
  readonly reason: string
  /** Whether it is so large that the sample is refused; otherwise the sample counts, and is marked. */
  readonly refuses: boolean
}

/** Says how neighbours disturbed what was measured meanwhile; null when they did not, or the system does not tell. */
export function findNoise(machine: MachineUse | null): Noise | null {
  if (!machine) return null
  const waits = findWaits(machine)
  if (!waits) return findBusy(machine)
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
 * Milliseconds that the main threads waited for each millisecond that they ran. A main thread also waits for other
 * threads of its own stack and for the load generator, so neighbours are answerable only for their share of the CPU time
 * in use. The time that the host took from this machine is not part of what Linux counts as waiting.
 */
function findWaits({ stealShare, othersShare, ownShare, waitRatio }: MachineUse) {
  const used = othersShare + ownShare
  if (waitRatio === null || used === 0) return null
  return { neighbours: (waitRatio * othersShare) / used, host: stealShare / used }
}

function findBusy({ othersShare }: MachineUse): Noise | null {
  if (othersShare <= REFUSED_OTHERS) return null
  return {
    reason: `the machine was busy: other processes took ${(othersShare * 100).toFixed(0)} % of its CPU time`,
    refuses: true,
  }
}
