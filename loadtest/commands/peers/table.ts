import { type Columns, firstByte, latency, p99, valid, versus } from '../../declaration/columns.ts'
import { fixed, middle, sayTimes } from '../../outcome/format.ts'
import { type Metric, sayVerdict } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { median } from '../../statistics/median.ts'
import { type ComparedConcern, comparedConcerns, comparisonOf } from './comparisons.ts'

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
      ? [`This run finds nothing in which ${inWords(beaten, 'or')} is better than ours.`]
      : []),
  ]
}

const inWords = (words: readonly string[], last: string) =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)
