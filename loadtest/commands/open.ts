import { renderColumns } from '../../lib/columns.ts'
import type { Command } from '../../lib/command.ts'
import { loadOptions, openOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import type { Results } from '../outcome/results.ts'
import { atRates, selectRow } from '../sample/rows.ts'
import { checkCeiling } from './ceiling.ts'
import { measureAndReport } from './measure-and-report.ts'
import { curve } from './tables.ts'

const options = { ...stepOptions, ...openOptions, ...loadOptions, ...samplingOptions } as const

export const open: Command<typeof options> = {
  usage: 'npm run loadtest -- open [options]',
  description: `Sends requests on a schedule, whatever becomes of those before, and counts latency from the scheduled time.
Several rates give latency against load, and say whether a response costs the main thread the same at each.`,
  options,
  async run(options) {
    const plan = () => ({
      rows: atRates([selectRow(options.step, options)], options.rate),
      settings: settingsFrom('open', options, options),
    })
    await measureAndReport(plan, options, 'open', render)
  },
}

const render = ({ steps }: Results) => [renderColumns(steps, curve), ...checkCeiling(steps)].join('\n\n')
