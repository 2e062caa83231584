import { type Composition, type Concern, concerns, type Implementation } from './concerns.ts'

/** A named composition. */
export interface Step {
  readonly name: string
  readonly composition: Composition
}

/** Where the ladder begins: what a competent team ships, all of it on the main thread. */
const monolith: Composition = {
  framework: 'express',
  compute: 'inline',
  serialization: 'native',
  logging: 'winston',
  apm: 'opentelemetry',
  rendering: 'string',
}

/** Each further step moves one concern, and has its name. */
const moves: readonly Move[] = [
  { concern: 'compute', to: 'threads' },
  { concern: 'serialization', to: 'compiled' },
  { concern: 'framework', to: 'fastify' },
  { concern: 'logging', to: 'sidecar' },
  { concern: 'apm', to: 'sidecar' },
  { concern: 'rendering', to: 'threads' },
]

type Move = { [C in Concern]: { readonly concern: C; readonly to: Implementation<C> } }[Concern]

export const steps: readonly Step[] = [
  { name: 'monolith', composition: monolith },
  ...moves.map(({ concern }, index) => ({ name: concern, composition: compose(moves.slice(0, index + 1)) })),
]

function compose(made: readonly Move[]): Composition {
  return made.reduce((composition, { concern, to }) => Object.assign(composition, { [concern]: to }), {
    ...monolith,
  })
}

/** The number of the step that composes like this; null when none does. */
export function findStepNumber(composition: Composition): number | null {
  const number = steps.findIndex(step =>
    concerns.every(concern => step.composition[concern] === composition[concern]),
  )
  return number < 0 ? null : number
}

export const stepNames: readonly string[] = steps.map(({ name }) => name)
export const firstStep = steps[0] as Step
export const lastStep = steps.at(-1) as Step
