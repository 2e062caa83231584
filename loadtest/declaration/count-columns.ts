import type { Column } from '../../lib/cli/columns.ts'
import { middle, scaled } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { type Columns, step, versus } from './columns.ts'

/** A count of the main thread for each good response, in a unit that gives numbers of a readable size. */
interface Count {
  readonly metric: 'wakeups' | 'allocatedBytes' | 'collections'
  readonly title: string
  readonly digits: number
  readonly factor: number
}

const counts: readonly Count[] = [
  { metric: 'wakeups', title: 'wake-ups', digits: 2, factor: 1 },
  { metric: 'allocatedBytes', title: 'KiB allocated', digits: 1, factor: 1 / 1024 },
  { metric: 'collections', title: 'collections/1000', digits: 2, factor: 1000 },
]

/**
 * The wake-ups, allocated bytes and collections of the main thread for each good response, against the baseline of the
 * run. Other programs hardly change these counts. Empty when the samples do not have them.
 */
export function countColumns({ steps, settings: { baseline } }: Results): Columns {
  const which = baseline === 'previous' ? 'versusPrevious' : 'versusFirst'
  const ratio = baseline === 'previous' ? '× previous' : '× first'
  const columns = counts
    .filter(({ metric }) => isKnown(steps, metric))
    .flatMap(count => [column(count), ...versus(which, count.metric, ratio, 3)])
  return columns.length > 0 ? [step, ...columns] : []
}

const column = ({ metric, title, digits, factor }: Count): Column<RowResult> => ({
  title,
  cell: row => middle(scaled(row[metric] ?? { median: null, ci95: null }, factor), digits, false),
})

const isKnown = (rows: readonly RowResult[], metric: Metric) =>
  rows.some(row => medianOf(row, metric) !== null)

/** Results of earlier versions do not have all metrics. */
const medianOf = (row: Partial<RowResult>, metric: Metric) => row[metric]?.median ?? null
