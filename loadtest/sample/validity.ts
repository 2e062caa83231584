import { percent } from '../../lib/units.ts'
import type { Measurement } from '../generator/protocol.ts'
import { NOISY_WAIT, REFUSED_WAIT } from '../statistics/thresholds.ts'
import { findGap, type Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import type { Row } from './rows.ts'

/** A sample beyond one of these limits says more about the generator or the machine than about the app. */
const validityLimits = {
  /** Of its event loop in an open loop. Above this, every latency contains the generator's own queue. */
  openGeneratorUtilization: 0.9,
  /**
   * In a closed loop. A busy generator sends fewer requests, but the cost of a response stays the same: a route that is cheaper
   * to serve than to request is measured at nearly full utilization, and its goodput is the generator's limit.
   */
  closedGeneratorUtilization: 0.99,
  /** In an open loop, 99 of 100 requests must be sent within this time after they were due. */
  latenessMs: 10,
} as const

export interface Evidence {
  readonly row: Row
  /** Of the main load and of the second load. */
  readonly measurements: readonly Measurement[]
  readonly machine: MachineUse | null
  readonly ledger: Ledger
  /** Name of a process that was restarted; undefined when there was none. */
  readonly restarted: string | undefined
}

interface Judgement {
  readonly reason: string | null
  /** How the machine disturbed the sample, valid or refused; null when it did not. */
  readonly noise: string | null
}

/** @param acceptsNoise whether a sample is valid however much the machine disturbed it */
export function judgeSample(evidence: Evidence, acceptsNoise = false): Judgement {
  const limited = whyLimited(evidence.measurements)
  const found = findNoise(evidence.machine)
  const noise = limited ?? found?.reason ?? null
  const refusal = acceptsNoise || !(limited || found?.refuses) ? null : noise
  const wrong = whyWrong(evidence)
  if (wrong) return { reason: wrong, noise }
  // Where protection from overload is what is compared, errors are a result.
  const isOverload = evidence.row.app?.overload !== undefined
  const failed = isOverload ? 0 : evidence.measurements.reduce((sum, { errors }) => sum + errors, 0)
  if (failed === 0) return { reason: refusal, noise }
  const errors = `${failed} errors`
  // An app that gets no core refuses requests and misses deadlines, as it should.
  return acceptsNoise && noise ? { reason: null, noise: `${errors}; ${noise}` } : { reason: errors, noise }
}

function whyWrong({ row, measurements, ledger, restarted }: Evidence): string | null {
  if (restarted) return `${restarted} was restarted`
  for (const { wrongBodies, responses, restarts } of measurements) {
    if (restarts > 0) return 'an instance of the app was restarted'
    if (wrongBodies > 0) return `${wrongBodies} wrong bodies`
    if (responses === 0) return 'no good response in the window'
  }
  return findGap(ledger, row)
}

/** Says how the load generator, and not the app, limited the figures. */
function whyLimited(measurements: Evidence['measurements']): string | null {
  for (const { generatorUtilization, latenessMs } of measurements) {
    const limit = latenessMs
      ? validityLimits.openGeneratorUtilization
      : validityLimits.closedGeneratorUtilization
    if (generatorUtilization > limit)
      return `the load generator was saturated: ${percent(generatorUtilization)} busy`
    if (latenessMs && latenessMs.p99 > validityLimits.latenessMs)
      return `the load generator was late: 1 of 100 requests by ${latenessMs.p99.toFixed(1)} ms`
  }
  return null
}

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
