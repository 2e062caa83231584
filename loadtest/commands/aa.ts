import { pairColumns } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { twice } from '../sample/compared-rows.ts'
import { selectRow } from '../sample/rows.ts'

export const aa = rowsCommand({
  name: 'aa',
  description: `Measures one row against itself: every difference that it finds is false. Says how small a change this
machine can find in this time.`,
  options: { ...stepOptions, ...loadOptions, ...samplingOptions },
  plan: options => ({
    rows: twice(selectRow(options.step, options)),
    settings: settingsFrom('aa', options, { ...options, keepsStacks: true }),
  }),
  title: () => 'A row against itself',
  columns: () => pairColumns,
  plots: [ratios('mainThreadMicros'), bars('mainThreadMicros')],
})
