import { concerns } from '../../app/concerns.ts'
import { ladder } from '../../app/ladder.ts'
import type { Step } from '../../app/steps.ts'
import { type Row, rowOf } from '../sample/rows.ts'

const firstStep = ladder[0] as Step

/** A step, and the same with each of its concerns put back, alone, to what it was at first. */
export const ablationRows = (step: Step): Row[] => [
  rowOf(step, {}),
  ...concerns
    .filter(concern => step.composition[concern] !== firstStep.composition[concern])
    .map(concern => rowOf(step, { [concern]: firstStep.composition[concern] })),
]
