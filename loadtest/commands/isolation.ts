import type { Command } from '../../lib/command.ts'
import { choice } from '../../lib/options.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { atRates, selectRows } from '../sample/rows.ts'
import { asTable, measureAndReport } from './measure-and-report.ts'
import { beside } from './tables.ts'

const { connections } = loadOptions

const options = {
  ...rowOptions,
  ...openOptions,
  rate: { ...openOptions.rate, default: '200' },
  beside: choice({ choices: scenarioNames, default: 'heavy', help: 'what the closed loop asks for' }),
  connections,
  ...samplingOptions,
} as const

export const isolation: Command<typeof options> = {
  usage: 'npm run loadtest -- isolation [options]',
  description: `How long /hello takes, asked on a schedule, beside clients that keep the app busy with something else.
Micros are CPU microseconds a good response of either kind.`,
  options,
  async run(options) {
    const plan = () => ({
      rows: atRates(selectRows(options.steps, options.step, options), options.rate),
      settings: settingsFrom('isolation', options, { ...options, scenario: 'hello' }),
    })
    await measureAndReport(plan, options, 'isolation', asTable(beside))
  },
}
