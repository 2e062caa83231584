/** One of our own steps, as a prediction from the step before. */
export interface Move {
  /** The step before the move. */
  readonly from: string
  readonly to: string
  /** The concerns that leave, by the names of a spectrum. */
  readonly concerns: readonly string[]
  readonly path: string
  /** The published run that measured the gain. */
  readonly run: 'ladder' | 'page'
}

const DEMO = { path: '/demo?seed=1', run: 'ladder' } as const

export const moves: readonly Move[] = [
  { from: 'monolith', to: 'compute', concerns: ['compute'], ...DEMO },
  { from: 'compute', to: 'serialization', concerns: ['serialization'], ...DEMO },
  { from: 'serialization', to: 'framework', concerns: ['framework'], ...DEMO },
  { from: 'framework', to: 'logging', concerns: ['logging'], ...DEMO },
  { from: 'logging', to: 'apm', concerns: ['apm'], ...DEMO },
  { from: 'apm', to: 'rendering', concerns: ['rendering'], path: '/page', run: 'page' },
  // The thread that needs the orders fetches, decodes and encodes them.
  { from: 'rendering', to: 'upstream', concerns: ['http client', 'serialization'], ...DEMO },
]
