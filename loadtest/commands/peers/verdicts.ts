import { formatRatio } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { RowResult } from '../../outcome/results.ts'

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

/** Whether ours is ahead of a row in main-thread time. */
export function placeOf({ versusFirst }: RowResult): string {
  const verdict = versusFirst?.mainThreadMicros.verdict
  if (verdict === undefined) return 'ours'
  return { slower: 'ahead', faster: 'behind', equivalent: 'equal', inconclusive: 'undecided' }[verdict]
}

/** Says of each row by what it beats ours; first the rows that do. */
export function describePlaces(rows: readonly RowResult[]): string[] {
  const [ours, ...others] = rows
  if (!ours) return []
  const behind = others.filter(row => wonBy(row).length > 0)
  const beaten = others.filter(row => !behind.includes(row)).map(({ name }) => name)
  return [
    ...behind.map(row => {
      const won = wonBy(row).map(
        metric => `${compared[metric]} × ${formatRatio(row.versusFirst?.[metric], 2)}`,
      )
      return `${ours.name} is not ahead of ${row.name}: ${won.join(', ')}.`
    }),
    ...(beaten.length > 0
      ? [`${beaten.join(', ')}: better than ${ours.name} in nothing that this run finds.`]
      : []),
  ]
}
