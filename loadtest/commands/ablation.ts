import { lastStep } from '../../app/steps.ts'
import type { Command } from '../../lib/command.ts'
import { choice } from '../../lib/options.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, samplingOptions, settingsFrom } from '../options.ts'
import { asTable, measureAndReport } from './measure-and-report.ts'
import { putBack } from './put-back.ts'
import { ablated } from './tables.ts'

const options = {
  ...loadOptions,
  scenario: choice({
    choices: scenarioNames,
    default: 'mix',
    help: 'what the load asks for; /demo alone has no page, /page alone little else',
  }),
  ...samplingOptions,
} as const

export const ablation: Command<typeof options> = {
  usage: 'npm run loadtest -- ablation [options]',
  description: `The last step against itself with one concern put back to what it was at first. Gains on the ladder depend on
their order; this says what each concern is worth when all others have been moved.`,
  options,
  async run(options) {
    const plan = () => ({
      rows: putBack(lastStep),
      settings: settingsFrom('ablation', options, { ...options, baseline: 'first' }),
    })
    await measureAndReport(plan, options, 'ablation', asTable(ablated))
  },
}
