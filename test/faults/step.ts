import { findStep, lastStep, type Step } from '../../app/steps.ts'

/** Name of the environment variable by which the process of a fault gets its step. */
export const STEP_VARIABLE = 'DMT_TEST_STEP'

/** The step of the service that meets the fault of this process: one of `--steps`, or the last one. */
export const step: Step = findStep(process.env[STEP_VARIABLE] ?? '') ?? lastStep
