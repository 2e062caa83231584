import { type Composition, concerns } from './concerns.ts'
import type { CompositionValues } from './server/composition-options.ts'
import { type Step, steps } from './steps.ts'

/** The implementation of every concern, as the options select it. */
export function composeFrom(values: CompositionValues): Composition {
  const { composition } = steps.find(({ name }) => name === values.step) as Step
  const chosen = concerns.map(concern => [concern, values[concern] ?? composition[concern]])
  return Object.fromEntries(chosen)
}
