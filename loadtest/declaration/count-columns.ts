import { middle } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import type { Median } from '../statistics/median.ts'
import { type Columns, step, versus } from './columns.ts'

/** Counts of the main thread for each good response, each in a unit that gives numbers of a readable size. */
const counts = [
  { metric: 'wakeups', title: 'wake-ups', digits: 2, factor: 1 },
  { metric: 'allocatedBytes', title: 'KiB allocated', digits: 1, factor: 1 / 1024 },
  { metric: 'collections', title: 'collections/1000', digits: 2, factor: 1000 },
] as const satisfies readonly {
  readonly metric: Metric
  readonly title: string
  digits: number
  factor: number
}[]

/**
 * The wake-ups, allocated bytes and collections of the main thread for each good response, against the baseline of the
 * run. Other programs hardly change these counts. Empty when the samples do not have them.
 */
export function countColumns({ steps, settings: { baseline } }: Results): Columns {
  const which = baseline === 'previous' ? 'versusPrevious' : 'versusFirst'
  const ratio = baseline === 'previous' ? '× previous' : '× first'
  const known = counts.filter(({ metric }) => steps.some(row => medianOf(row, metric) !== null))
  const columns = known.flatMap(({ metric, title, digits, factor }) => [
    { title, cell: (row: RowResult) => middle(scale(row[metric], factor), digits, false) },
    ...versus(which, metric, ratio, 3),
  ])
  return columns.length > 0 ? [step, ...columns] : []
}

/** Results of earlier versions do not have all metrics. */
const medianOf = (row: Partial<RowResult>, metric: Metric) => row[metric]?.median ?? null

const scale = (given: Median | undefined, factor: number): Median => ({
  median: given?.median == null ? null : given.median * factor,
  ci95: null,
})
