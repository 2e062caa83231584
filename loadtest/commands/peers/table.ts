import { type Concern, type Implementation, namesOf } from '../../../app/concerns.ts'
import { type Columns, firstByte, latency, p99, valid, versus } from '../../declaration/columns.ts'
import type { ScenarioName } from '../../generator/scenarios.ts'
import { fixed, middle, sayTimes } from '../../outcome/format.ts'
import { type Metric, sayVerdict } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { peers } from '../../peers/index.ts'
import { type Row, rowOf, stepOf } from '../../sample/rows.ts'
import { median } from '../../statistics/median.ts'

/** The concern in which the rows of a run differ. */
export function concernOf(steps: Results['steps']): ComparedConcern {
  const differ = (concern: ComparedConcern) =>
    new Set(steps.map(({ composition }) => composition[concern])).size > 1
  return comparedConcerns.find(differ) ?? 'compute'
}

/** What each implementation costs. */
export function peerColumns({ steps }: Pick<Results, 'steps'>): Columns {
  const concern = concernOf(steps)
  const { floor } = comparisonOf(concern)
  const alone = overFloor({ steps }, floor)
  return [
    { title: 'implementation', cell: ({ name }) => name },
    { title: 'main thread µs', cell: row => middle(row.mainThreadMicros, 0, false) },
    ...versus('versusFirst', 'mainThreadMicros', 'main thread × ours').slice(0, 1),
    { title: 'verdict', cell: row => (row.name === floor ? 'the floor' : placeOf(row)) },
    { title: 'µs over the floor', cell: ({ name }) => fixed(alone.get(name), 1) },
    { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
    ...versus('versusFirst', 'totalMicros', 'total × ours').slice(0, 1),
    { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
    ...versus('versusFirst', 'goodput', 'goodput × ours').slice(0, 1),
    ...(concern === 'rendering' ? [firstByte, latency('p50', 1)] : []),
    p99(1),
    { title: '/hello p99 ms', cell: row => middle(row.besideP99Ms, 1, false) },
    { title: 'memory MiB', cell: row => middle(row.memoryMiB, 0, false) },
    { title: 'wake-ups', cell: row => middle(row.wakeups, 2, false) },
    valid,
  ]
}

/**
 * Subtracts from the main-thread cost of each row that of the floor in the same block. The floor is the same service with
 * an implementation that does nothing, so what is left is the cost of the concern alone.
 * @returns median microseconds by the name of the row; empty without a row of the floor
 */
function overFloor({ steps }: Pick<Results, 'steps'>, floor: string | undefined): Map<string, number | null> {
  const floorRow = steps.find(({ name }) => name === floor)
  const rows = floorRow ? steps.filter(row => row !== floorRow) : []
  const floors = new Map(floorRow && valuesOf(floorRow))
  return new Map(
    rows.map(row => {
      const differences = valuesOf(row).flatMap(([round, value]) => {
        const below = floors.get(round)
        return below === undefined ? [] : [value - below]
      })
      return [row.name, median(differences)]
    }),
  )
}

const valuesOf = ({ samples }: RowResult) =>
  samples
    .filter(({ valid }) => valid)
    .map(({ round, mainThreadMicros }) => [round, mainThreadMicros] as const)

/** The metrics by which a peer is compared with ours, and their names. */
const compared = {
  mainThreadMicros: 'main-thread time',
  goodput: 'goodput',
  totalMicros: 'total CPU time',
  p99Ms: 'p99',
  besideP99Ms: 'p99 of the neighbour',
  memoryMiB: 'memory',
  wakeups: 'wake-ups',
} as const satisfies Partial<Record<Metric, string>>

type Compared = keyof typeof compared
const comparedMetrics = Object.keys(compared) as Compared[]

/** The metrics by which a row is better than the first row, which is ours. */
const wonBy = ({ versusFirst }: RowResult): Compared[] =>
  comparedMetrics.filter(metric => versusFirst?.[metric].verdict === 'faster')

/** The verdict on a row's main-thread time against ours. */
function placeOf({ versusFirst }: RowResult): string {
  const verdict = versusFirst?.mainThreadMicros.verdict
  return verdict === undefined ? 'ours' : sayVerdict('mainThreadMicros', verdict)
}

/** Says what each peer is better at, and which are better at nothing. */
export function describePlaces(rows: readonly RowResult[]): string[] {
  const [ours, ...others] = rows
  if (!ours) return []
  const behind = others.filter(row => wonBy(row).length > 0)
  const beaten = others.filter(row => !behind.includes(row)).map(({ name }) => name)
  return [
    ...behind.map(row => {
      const won = wonBy(row).map(metric => `${compared[metric]} (${sayTimes(row.versusFirst?.[metric])})`)
      return `${row.name} is better than ours in ${inWords(won, 'and')}.`
    }),
    ...(beaten.length > 0
      ? [`This run does not prove ${inWords(beaten, 'or')} better than ours in any measure.`]
      : []),
  ]
}

const inWords = (words: readonly string[], last: string) =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)

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
    left: ['inline', 'nats', 'processes'],
  },
  serialization: {
    scenario: 'serialization',
    ours: 'compiled',
    // Clients of the load accept JSON only, and no upstream speaks MessagePack.
    left: ['protobuf', 'msgpackr'],
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
