import { choice } from '../../lib/options.ts'
import { besideColumns } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { atRates, selectRows } from '../sample/rows.ts'

const { connections } = loadOptions

export const isolation = rowsCommand({
  name: 'isolation',
  description: `Measures how long /hello takes, sent on a schedule, beside a closed loop of clients that keep the app busy with
something else. Costs are CPU microseconds a good response of either kind.`,
  options: {
    ...rowOptions,
    ...openOptions,
    rate: { ...openOptions.rate, default: '200' },
    beside: choice({ choices: scenarioNames, default: 'heavy', help: 'the requests of the closed loop' }),
    connections,
    ...samplingOptions,
  },
  plan: options => ({
    rows: atRates(selectRows(options.steps, options.step, options), options.rate),
    settings: settingsFrom('isolation', options, { ...options, scenario: 'hello' }),
  }),
  heading: () => ({
    title: 'What one route suffers from another',
    introduction: '/hello is asked on a schedule, beside clients that keep the app busy with something else.',
  }),
  columns: () => besideColumns,
  plots: ['latency', 'p99-versus-previous'],
})
