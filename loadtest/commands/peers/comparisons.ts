import { type Concern, type Implementation, namesOf } from '../../../app/concerns.ts'
import type { ScenarioName } from '../../generator/scenarios.ts'
import { peers } from '../../peers/index.ts'
import { type Row, rowOf, stepOf } from '../../sample/rows.ts'

/** The step whose other concerns all rows have: each is off the main thread, and upstream is called from there. */
const SERVICE = stepOf('rendering')
/** Loads the names of the peers before the app reads its options. The path is from the root of the project. */
const REGISTER = ['--import', './loadtest/peers/register.ts']

/** How a concern is compared. */
interface Comparison {
  /** Its load, unless another is named. */
  readonly scenario: ScenarioName
  /** The implementation that the peers are compared with. */
  readonly ours: string
  /** The implementation that does nothing of this concern: costs are also shown without it. */
  readonly floor?: string
  /** Implementations of the service that are no peers. */
  readonly left?: readonly string[]
}

/** The concerns that have peers. */
export const comparisons = {
  compute: {
    scenario: 'cpu',
    ours: 'threads',
    floor: 'known',
    left: ['inline', 'nats', 'processes', 'sliced'],
  },
  serialization: {
    scenario: 'serialization',
    ours: 'compiled',
    // Workers make its answers, clients of the load accept JSON only, and no upstream speaks MessagePack.
    left: ['threads', 'protobuf', 'msgpackr'],
  },
  logging: { scenario: 'log', ours: 'sidecar', floor: 'none' },
  apm: { scenario: 'serialization', ours: 'sidecar', floor: 'none', left: ['in-process'] },
  rendering: { scenario: 'page', ours: 'threads' },
} as const satisfies { readonly [C in Concern]?: Comparison }

export type ComparedConcern = keyof typeof comparisons
export const comparedConcerns = Object.keys(comparisons) as ComparedConcern[]
export const comparisonOf = (concern: ComparedConcern): Comparison => comparisons[concern]

/** The names of everything that can be measured for a concern: ours, then the floor, then the peers. */
function namesOfPeers(concern: ComparedConcern): string[] {
  const { ours, floor, left = [] } = comparisonOf(concern)
  const others = [...namesOf(concern), ...Object.keys(peers[concern])]
  return [...new Set([ours, ...(floor ? [floor] : []), ...others])].filter(name => !left.includes(name))
}

/** A row for each implementation, in the same service. */
export const rowsOf = (concern: ComparedConcern): Row[] =>
  namesOfPeers(concern).map(name => {
    const row = rowOf(SERVICE, { [concern]: name as Implementation<typeof concern> })
    return { ...row, number: null, name, ...(name in peers[concern] && { nodeFlags: REGISTER }) }
  })
