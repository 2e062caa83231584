import type { Measurement } from '../generator/protocol.ts'
import { findGap, type Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import type { Row } from './rows.ts'

/** A sample beyond one of these limits says more about the generator or the machine than about the app. */
export const validityLimits = {
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
  /** Share of the CPU time of all cores that the host has given to others. */
  stealShare: 0.05,
  othersShare: 0.1,
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

/** Says why a sample must be refused; null when it is valid. */
export function whyInvalid({ row, measurements, machine, ledger, restarted }: Evidence): string | null {
  if (restarted) return `${restarted} was restarted`
  for (const measurement of measurements) {
    const { errors, wrongBodies, responses, generatorUtilization, latenessMs, restarts } = measurement
    if (restarts > 0) return 'an instance of the app was restarted'
    if (errors > 0) return `${errors} errors`
    if (wrongBodies > 0) return `${wrongBodies} wrong bodies`
    if (responses === 0) return 'no good response in the window'
    const limit = latenessMs
      ? validityLimits.openGeneratorUtilization
      : validityLimits.closedGeneratorUtilization
    if (generatorUtilization > limit)
      return `the load generator was saturated: ${percent(generatorUtilization)} busy`
    if (latenessMs && latenessMs.p99 > validityLimits.latenessMs)
      return `the load generator was late: 1 of 100 requests by ${latenessMs.p99.toFixed(1)} ms`
  }
  return whyNotOurs(machine) ?? findGap(ledger, row)
}

/** Says why nothing measured on this machine meanwhile is valid; null when it is. */
export function whyNotOurs(machine: MachineUse | null): string | null {
  if (machine && machine.stealShare > validityLimits.stealShare)
    return `the host took ${percent(machine.stealShare)} of the machine's CPU time (steal)`
  if (machine && machine.othersShare > validityLimits.othersShare)
    return `the machine was busy: other processes took ${percent(machine.othersShare)} of its CPU time`
  return null
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
