import { concerns } from '../../app/concerns.ts'
import { firstStep, type Step } from '../../app/steps.ts'
import { type Row, rowOf } from './rows.ts'

/** A step, and the same step with one concern at a time put back to its implementation in the first step. */
export const ablated = (step: Step): Row[] => [
  rowOf(step, {}),
  ...concerns
    .filter(concern => step.composition[concern] !== firstStep.composition[concern])
    .map(concern => rowOf(step, { [concern]: firstStep.composition[concern] })),
]
