import { findStep, lastStep, type Step } from '../../app/steps.ts'

/** The order for a process that runs one fault, passed as JSON. */
export interface FaultOrder {
  readonly group: string
  /** Name of the step of the service. */
  readonly step: string
  readonly name: string
  readonly directory: string
  readonly seconds: number
  readonly seed: number
}

/** Messages that this process sends back. */
export type FaultMessage =
  | { readonly kind: 'progress'; readonly says: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export interface Outcome {
  readonly held: boolean
  readonly says: string
}

/** Name of the environment variable by which the process of a fault gets its step. */
export const STEP_VARIABLE = 'DMT_TEST_STEP'

/** The step of the service that meets the fault of this process: one of `--steps`, or the last one. */
export const step: Step = findStep(process.env[STEP_VARIABLE] ?? '') ?? lastStep
