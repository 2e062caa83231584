import type { Command } from '../../lib/command.ts'
import { loadOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import { selectRow, twice } from '../sample/rows.ts'
import { asTable, measureAndReport } from './measure-and-report.ts'
import { pair } from './tables.ts'

const options = { ...stepOptions, ...loadOptions, ...samplingOptions } as const

export const aa: Command<typeof options> = {
  usage: 'npm run loadtest -- aa [options]',
  description: `Measures one row against itself: a difference would be a false one. Says how small a change this machine can
find in this time.`,
  options,
  async run(options) {
    const plan = () => ({
      rows: twice(selectRow(options.step, options)),
      settings: settingsFrom('aa', options, options),
    })
    await measureAndReport(plan, options, 'aa', asTable(pair))
  },
}
