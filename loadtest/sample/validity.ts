import { percent } from '../../lib/units.ts'
import type { Measurement } from '../generator/protocol.ts'
import { findGap, type Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import { findNoise } from './noise.ts'
import type { Row } from './rows.ts'

/** A sample beyond one of these limits says more about the generator or the machine than about the app. */
const validityLimits = {
  /**
   * Utilization of the generator's event loop in an open loop. Above this, every latency contains the generator's own
   * queue.
   */
  openGeneratorUtilization: 0.9,
  /**
   * Utilization of the generator's event loop in a closed loop. A busy generator sends fewer requests, but the cost
   * of a response stays the same. A route that is cheaper to serve than to request is therefore measured at nearly
   * full utilization; its goodput is then the generator's limit.
   */
  closedGeneratorUtilization: 0.99,
  /** In an open loop, 99 of 100 requests must be sent within this time after they were due. */
  latenessMs: 10,
} as const

/** Everything that is known about a sample once its stack has ended. */
export interface Evidence {
  readonly row: Row
  /** Measurements of the main load and of the second load. */
  readonly measurements: readonly Measurement[]
  readonly machine: MachineUse | null
  readonly ledger: Ledger
  /** Name of a process that was restarted; undefined when there was none. */
  readonly restarted: string | undefined
}

export interface Judgement {
  /** The reason why the sample must be refused; null when it is valid. */
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
  const failed = evidence.row.app?.overload === undefined ? countErrors(evidence.measurements) : 0
  if (failed === 0) return { reason: refusal, noise }
  const errors = describeErrors(failed)
  // An app that gets no core refuses requests and misses deadlines, as it should.
  return acceptsNoise && noise ? { reason: null, noise: `${errors}; ${noise}` } : { reason: errors, noise }
}

/** The reason of a sample in which every request failed. */
const NO_RESPONSE = 'no good response in the window'

/** The reason of a sample that only errors make invalid. */
const describeErrors = (errors: number): string => `${errors} errors`

/** Says what makes a sample wrong on any machine. */
function whyWrong({ row, measurements, ledger, restarted }: Evidence): string | null {
  if (restarted) return `${restarted} was restarted`
  for (const { wrongBodies, responses, restarts } of measurements) {
    if (restarts > 0) return 'an instance of the app was restarted'
    if (wrongBodies > 0) return `${wrongBodies} wrong bodies`
    if (responses === 0) return NO_RESPONSE
  }
  return findGap(ledger, row)
}

const countErrors = (measurements: Evidence['measurements']) =>
  measurements.reduce((sum, { errors }) => sum + errors, 0)

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
