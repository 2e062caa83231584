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
import { describeBottleneck } from './remarks.ts'

/** What each row serves, and what limits it: as many columns as a document has room for. */
export const shortCoresColumns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0) },
  ...versus('versusFirst', 'goodput', '× first').slice(0, 1),
  ...versus('versusPrevious', 'goodput', '× previous'),
  { title: 'bottleneck', cell: describeBottleneck },
  latency('p50', 1),
  p99(1),
]

export const coresColumns: Columns = [
  ...shortCoresColumns,
  mainThread,
  busy,
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  valid,
]
