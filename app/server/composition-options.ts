import { choice, type Values } from '../../lib/cli/options.ts'
import { forEachConcern, namesOf } from '../concerns.ts'
import { findStep, lastStep, listedSteps, stepNames } from '../steps.ts'

/** The options that select a composition: a step, and for each concern an implementation that replaces the step's. */
export const compositionOptions = {
  step: {
    ...choice({
      choices: stepNames,
      default: lastStep.name,
      help: 'step whose composition runs, or its number',
    }),
    expected: `one of ${listedSteps}`,
    parse: (given: string) => findStep(given)?.name,
  },
  ...forEachConcern(concern =>
    choice({
      choices: namesOf(concern),
      help: `implementation of ${concern}, in place of the step's implementation`,
    }),
  ),
} as const

export type CompositionValues = Values<typeof compositionOptions>
