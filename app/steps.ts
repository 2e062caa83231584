import { availableSteps } from './available-steps.ts'
import { type Composition, concerns } from './concerns.ts'

/** A named composition. */
export interface Step {
  /** Its place on the ladder, from 0. */
  readonly number: number
  readonly name: string
  readonly composition: Composition
}

export const steps = availableSteps

/** The number of the step that composes like this; null when none does. */
export function findStepNumber(composition: Composition): number | null {
  const found = steps.find(step =>
    concerns.every(concern => step.composition[concern] === composition[concern]),
  )
  return found?.number ?? null
}

export const stepNames: readonly string[] = steps.map(({ name }) => name)
export const firstStep = steps[0] as Step
export const lastStep = steps.at(-1) as Step
