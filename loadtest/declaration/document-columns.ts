import type { RowResult } from '../outcome/results.ts'
import { type Columns, changeColumn, goodput, mainThread, step, versus } from './columns.ts'

/** The gain of each row in as few columns as the first screen of a README has room for. */
export const shortColumns = (rows: readonly RowResult[]): Columns => [
  step,
  ...changeColumn(rows),
  mainThread,
  ...versus('versusPrevious', 'mainThreadMicros', '× previous'),
  goodput,
]
