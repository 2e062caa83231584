import { choice } from '../../lib/options.ts'
import { busy, type Columns, latency, p99, step, valid, value, versus } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions } from '../options.ts'
import { atRates, selectRows } from '../sample/rows.ts'
import { settingsFrom } from '../settings-from.ts'

const { connections } = loadOptions

/** The latency of one route beside the load of another. */
const columns: Columns = [
  step,
  latency('p50', 1),
  p99(1),
  ...versus('versusPrevious', 'p99Ms', 'p99 × previous'),
  value('beside/s', 0, sample => sample.besideGoodput ?? Number.NaN),
  busy,
  valid,
]

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
    title: 'How one route delays another',
    introduction:
      '/hello is requested on a schedule, while other clients keep the app busy with something else.',
  }),
  metric: 'p99Ms',
  columns: () => columns,
  plots: ['latency', 'p99-versus-previous'],
})
