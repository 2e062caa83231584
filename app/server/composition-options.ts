import { choice, type Values } from '../../lib/cli/options.ts'
import { type Composition, concerns, forEachConcern, namesOf } from '../concerns.ts'
import { findStep, lastStep, listedSteps, type Step, stepNames, steps } from '../steps.ts'

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

/** The implementation of every concern, as the options select it. */
export function composeFrom(values: CompositionValues): Composition {
  const { composition } = steps.find(({ name }) => name === values.step) as Step
  const chosen = concerns.map(concern => [concern, values[concern] ?? composition[concern]])
  return Object.fromEntries(chosen)
}
