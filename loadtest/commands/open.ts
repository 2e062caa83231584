import { curveColumns } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, openOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import { atRates, selectRow } from '../sample/rows.ts'
import { checkCeiling } from './ceiling-remarks.ts'

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
  columns: () => curveColumns,
  remarks: ({ steps }) => checkCeiling(steps),
  plots: ['load-curve', 'latency', 'main-thread', 'main-thread-versus-first', 'goodput-versus-first'],
})
