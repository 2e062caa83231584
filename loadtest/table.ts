import { type Column, renderColumns } from '../lib/columns.ts'
import { median, type RowResult } from './results.ts'

const columns: readonly Column<RowResult>[] = [
  { title: 'step', cell: ({ number, name }) => `${number ?? ' '} ${name}` },
  { title: 'main thread µs', cell: row => round(row.mainThreadMicros.median) },
  { title: '× previous', cell: row => ratio(row.versusPrevious?.mainThreadMicros.ratio) },
  { title: 'ceiling/s', cell: row => round(row.ceiling.median) },
  { title: 'goodput/s', cell: row => round(row.goodput.median) },
  { title: '× previous', cell: row => ratio(row.versusPrevious?.goodput.ratio) },
  { title: 'total µs', cell: row => round(row.totalMicros.median) },
  { title: 'main thread busy', cell: row => percent(middle(row, sample => sample.mainThreadUtilization)) },
  { title: 'p50 ms', cell: row => fixed(middle(row, sample => sample.latencyMs.p50)) },
  { title: 'p99 ms', cell: row => fixed(middle(row, sample => sample.latencyMs.p99)) },
  {
    title: 'valid',
    cell: ({ samples }) => `${samples.filter(({ valid }) => valid).length}/${samples.length}`,
  },
]

/** The results as a table for people; costs are CPU microseconds a good response. */
export const renderTable = (rows: readonly RowResult[]): string => renderColumns(rows, columns)

const round = (value: number | null) => (value === null ? '-' : String(Math.round(value)))
const ratio = (value: number | null | undefined) => (value ? value.toFixed(2) : '-')
const percent = (value: number | null) => (value === null ? '-' : `${Math.round(value * 100)} %`)
const fixed = (value: number | null) => (value === null ? '-' : value.toFixed(1))

function middle(
  { samples }: RowResult,
  value: (sample: RowResult['samples'][number]) => number,
): number | null {
  return median(samples.filter(({ valid }) => valid).map(value))
}
