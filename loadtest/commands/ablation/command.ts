import { lastStep } from '../../../app/steps.ts'
import { choice } from '../../../lib/cli/options.ts'
import { ablationColumns } from '../../declaration/columns.ts'
import { rowsCommand } from '../../declaration/rows-command.ts'
import { scenarioNames } from '../../generator/scenarios.ts'
import { loadOptions, samplingOptions } from '../../options.ts'
import { settingsFrom } from '../../settings-from.ts'
import { ablationRows } from './rows.ts'

export const ablation = rowsCommand({
  name: 'ablation',
  description: `Measures the last step against itself with one concern at a time as it was at first. The gain of a step on the
ladder depends on the steps before it; this shows the gain of each concern alone, when all others have been moved.`,
  options: {
    ...loadOptions,
    scenario: choice({
      choices: scenarioNames,
      default: 'mix',
      help: 'the requests of the load; demo has no page, and page has little else',
    }),
    ...samplingOptions,
  },
  plan: options => ({
    rows: ablationRows(lastStep),
    settings: settingsFrom('ablation', options, { ...options, baseline: 'first', keepsStacks: true }),
  }),
  heading: () => ({
    title: 'The gain of each concern alone',
    introduction:
      'The last step, then the last step with one concern at a time put back to its first implementation.',
  }),
  columns: () => ablationColumns,
  plots: ['main-thread-versus-first', 'goodput-versus-first', 'main-thread', 'goodput', 'latency'],
})
