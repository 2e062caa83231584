import type { Composition, Concern, Implementation } from './concerns.ts'
import type { Step } from './steps.ts'

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

/** All steps. What imports this is about several of them, and is not on the branch of one. */
export const ladder: readonly Step[] = [
  { number: 0, name: 'monolith', composition: monolith },
  ...moves.map(({ concern }, index) => ({
    number: index + 1,
    name: concern,
    composition: compose(moves.slice(0, index + 1)),
  })),
]

function compose(made: readonly Move[]): Composition {
  return made.reduce((composition, { concern, to }) => Object.assign(composition, { [concern]: to }), {
    ...monolith,
  })
}
