import type { RowResult } from '../outcome/results.ts'
import {
  type Columns,
  changeColumn,
  firstByte,
  firstColumns,
  goodput,
  latency,
  mainThread,
  p99,
  step,
  valid,
  valueAndRatio,
  versus,
  wakeups,
} from './columns.ts'

/** The gain of each row in as few columns as the first screen of a README has room for. */
export const shortColumns = (rows: readonly RowResult[]): Columns => [
  step,
  ...changeColumn(rows),
  mainThread,
  ...versus('versusPrevious', 'mainThreadMicros', '× previous'),
  goodput,
]

const costAtLowLoad: Columns = [
  step,
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  wakeups,
]

/** The cost of each row at one rate, against the first row at that rate. */
export const lowLoadColumns: Columns = [
  ...costAtLowLoad,
  latency('p50', 2),
  p99(1),
  ...versus('versusFirst', 'p99Ms', '× first'),
  valid,
]

/** The same for pages. */
export const pageAtLowLoad: Columns = [...costAtLowLoad, firstByte, latency('p50', 1), valid]

/** Whether two rows that are alike can be told apart. */
export const pairInShort: Columns = [step, ...valueAndRatio('mainThreadMicros', mainThread.title), valid]

/** The figures that the size of libuv's pool may change. */
export const uvThreadsInShort: Columns = [
  step,
  mainThread,
  goodput,
  ...versus('versusFirst', 'goodput', '× first'),
  latency('p50', 1),
  p99(1),
  ...versus('versusFirst', 'p99Ms', '× first'),
  valid,
]

/** What versions of Node.js change. */
export const versionsInShort: Columns = [
  step,
  ...firstColumns.filter(({ title }) => title === 'V8'),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  goodput,
  ...versus('versusFirst', 'goodput', '× first'),
  valid,
]
