import type { Measurement } from '../generator/protocol.ts'
import { findGap, type Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import type { Row } from './rows.ts'

/** A sample beyond one of these limits says more about the generator or the machine than about the app. */
export const validityLimits = {
  /** Of the generator's event loop in an open loop: above, its own queue is part of every latency. */
  openGeneratorUtilization: 0.9,
  /**
   * In a closed loop a busy generator asks for less, and what a response costs stays the same: routes that are cheaper
   * to serve than to ask for are measured nearly up to its limit. Their goodput is then the generator's.
   */
  closedGeneratorUtilization: 0.99,
  /** By which 99 of 100 requests of an open loop are sent, after their time. */
  latenessMs: 10,
  /** Of all cores. */
  stealShare: 0.05,
  othersShare: 0.1,
} as const

/** What is known of a sample when its stack has ended. */
export interface Evidence {
  readonly row: Row
  /** Of the generator that is measured, and of the one beside it. */
  readonly measurements: readonly Measurement[]
  readonly machine: MachineUse | null
  readonly ledger: Ledger
  /** Name of the process that was restarted. */
  readonly restarted: string | undefined
}

/** Why a sample must be refused; null when it may count. */
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

/** Why nothing that was measured meanwhile should count; null when it may. */
export function whyNotOurs(machine: MachineUse | null): string | null {
  if (machine && machine.stealShare > validityLimits.stealShare)
    return `the machine was not ours alone: ${percent(machine.stealShare)} of its CPU time was stolen`
  if (machine && machine.othersShare > validityLimits.othersShare)
    return `the machine was busy: other processes took ${percent(machine.othersShare)} of its CPU time`
  return null
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
