import { ladder } from './ladder.ts'
import type { Step } from './steps.ts'

/** The steps that can be run here: all of them; on the branch of a step, that one. */
export const availableSteps: readonly Step[] = ladder
