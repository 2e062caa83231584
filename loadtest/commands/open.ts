import {
  busy,
  type Columns,
  latency,
  mainThread,
  p99,
  step,
  valid,
  value,
  versus,
  wakeups,
} from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, openOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import { middle } from '../outcome/format.ts'
import { atRates, selectRow } from '../sample/rows.ts'
import { checkCeiling } from './ceiling-remarks.ts'

/** Latency and cost at several rates. */
const columns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  latency('p50', 2),
  latency('p90', 2),
  p99(1),
  latency('max', 1),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  busy,
  wakeups,
  value('sent late, p99 ms', 1, sample => sample.latenessMs?.p99 ?? Number.NaN),
  valid,
]

export const open = rowsCommand({
  name: 'open',
  description: `Sends requests on a schedule, without waiting for the answers, and counts latency from the scheduled time.
Several rates show latency against load, and whether a response costs the main thread the same at each rate.`,
  options: { ...stepOptions, ...openOptions, ...loadOptions, ...samplingOptions },
  plan: options => ({
    rows: atRates([selectRow(options.step, options)], options.rate),
    settings: settingsFrom('open', options, options),
  }),
  heading: () => ({
    title: 'Requests on a schedule',
    introduction: 'Requests are sent at their scheduled time, without waiting for earlier answers.',
  }),
  columns: () => columns,
  remarks: ({ steps }) => checkCeiling(steps),
  plots: ['load-curve', 'latency', 'main-thread', 'main-thread-versus-first', 'goodput-versus-first'],
})
