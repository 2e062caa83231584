import type { Column } from '../../../lib/cli/columns.ts'
import {
  busy,
  type Columns,
  latency,
  mainThread,
  p99,
  step,
  valid,
  versus,
} from '../../declaration/columns.ts'
import { middle } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { RowResult } from '../../outcome/results.ts'
import { describeBottleneck } from './remarks.ts'
import { SHOWN_CORES } from './rows.ts'

const title = {
  ...step,
  cell: (row: Parameters<typeof step.cell>[0]) => step.cell(row).replace(/ at \d+ cores$/, ''),
}
const goodput = { title: 'goodput/s', cell: (row: Parameters<typeof step.cell>[0]) => middle(row.goodput, 0) }
const versusFirst = (metric: Metric, title: string) => versus('versusFirst', metric, title).slice(0, 1)
const bottleneck = { title: 'bottleneck', cell: describeBottleneck }

/** The rows of a step on each number of cores, by that number. */
type OnCores = ReadonlyMap<number, RowResult>

export const stepsOnCores = (rows: readonly RowResult[]): OnCores[] =>
  [...Map.groupBy(rows, ({ number }) => number).values()].map(
    each => new Map(each.map(row => [row.cores?.count ?? 0, row])),
  )

/**
 * A line for each step, with its goodput on each number of cores, and, on as many as most readers have, its gain and what
 * limits it.
 */
export function overCoresColumns(rows: readonly RowResult[]): readonly Column<OnCores>[] {
  const on = (count: number, column: Column<RowResult>): Column<OnCores> => ({
    title: column.title,
    cell: each => {
      const row = each.get(count)
      return row ? column.cell(row) : '-'
    },
  })
  const counts = [...new Set(rows.map(({ cores }) => cores?.count ?? 0))]
  return [
    on(counts[0] ?? 0, title),
    ...counts.map(count => on(count, { ...goodput, title: `goodput/s on ${count}` })),
    ...[...versusFirst('goodput', '× first'), bottleneck].map(column =>
      on(SHOWN_CORES, { ...column, title: `${column.title} on ${SHOWN_CORES}` }),
    ),
  ]
}

export const coresColumns: Columns = [
  step,
  goodput,
  ...versus('versusFirst', 'goodput', '× first'),
  ...versus('versusPrevious', 'goodput', '× previous'),
  mainThread,
  busy,
  bottleneck,
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  latency('p50', 1),
  p99(1),
  valid,
]
