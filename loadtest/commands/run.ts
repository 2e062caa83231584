import { renderColumns } from '../../lib/columns.ts'
import type { Command } from '../../lib/command.ts'
import { percent } from '../../lib/options.ts'
import { UserError } from '../../lib/user-error.ts'
import { loadOptions, rowOptions, samplingOptions, settingsFrom, spectrumOptions } from '../options.ts'
import type { Results } from '../outcome/results.ts'
import { handicapped, selectRow, selectRows } from '../sample/rows.ts'
import { measureAndReport } from './measure-and-report.ts'
import { ladder, pages, pair, spectra } from './tables.ts'

const options = {
  ...rowOptions,
  handicapPercent: percent({
    min: 0.1,
    max: 100,
    help: 'with --step: measure it against itself with a main thread that burns so much more',
  }),
  ...loadOptions,
  ...spectrumOptions,
  ...samplingOptions,
} as const

export const runRows: Command<typeof options> = {
  usage: 'npm run loadtest -- [run] [options]',
  description: 'Puts each row in a fresh stack under load and says what it costs the main thread.',
  options,
  async run(options) {
    const { handicapPercent, step, steps } = options
    if (handicapPercent !== undefined && (steps || !step)) {
      throw new UserError('--handicap compares one step with itself; name it with --step')
    }
    const areSeveral = options.instances?.some(count => count > 1) ?? false
    if (areSeveral && options.spectrum === 'yes') {
      throw new UserError('a spectrum is of one main thread; leave out --spectrum or --instances')
    }
    const spectrum = options.spectrum ?? (options.quick || areSeveral ? 'no' : 'yes')
    const plan = () => ({
      rows:
        handicapPercent === undefined
          ? selectRows(steps, step, options)
          : handicapped(selectRow(step, options), handicapPercent),
      settings: settingsFrom('run', options, {
        ...options,
        spectrum: spectrum === 'yes',
      }),
    })
    await measureAndReport(plan, options, 'run', render)
  },
}

function render({ steps, settings: { scenario } }: Results): string {
  const isPair = steps.some(({ app }) => app?.handicapPercent !== undefined)
  const costs = renderColumns(steps, isPair ? pair : scenario === 'page' ? pages : ladder)
  const hasSpectra = steps.some(({ spectrum }) => spectrum)
  return hasSpectra ? `${costs}\n\nmain threads by %\n${renderColumns(steps, spectra)}` : costs
}
