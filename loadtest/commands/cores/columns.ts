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
import { describeBottleneck } from './remarks.ts'

const title = {
  ...step,
  cell: (row: Parameters<typeof step.cell>[0]) => step.cell(row).replace(/ at \d+ cores$/, ''),
}
const goodput = { title: 'goodput/s', cell: (row: Parameters<typeof step.cell>[0]) => middle(row.goodput, 0) }
const ratio = (which: 'versusFirst' | 'versusPrevious', metric: Metric, title: string) =>
  versus(which, metric, title).slice(0, 1)
const bottleneck = { title: 'bottleneck', cell: describeBottleneck }

/** As many columns as a document has room for. */
export const fewColumns: Columns = [title, goodput, ...ratio('versusFirst', 'goodput', '× first'), bottleneck]
export const goodputColumns: Columns = [
  ...fewColumns,
  ...ratio('versusPrevious', 'goodput', '× previous'),
  { title: 'p99 ms', cell: row => middle(row.p99Ms, 0, false) },
]

/** Ways to use equal cores. */
export const besideColumns: Columns = [
  title,
  goodput,
  ...ratio('versusFirst', 'goodput', '× first'),
  ...ratio('versusFirst', 'besideP99Ms', '/hello p99 × first'),
  ...ratio('versusFirst', 'totalMicros', 'total µs × first'),
  ...ratio('versusFirst', 'memoryMiB', 'memory × first'),
]

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
