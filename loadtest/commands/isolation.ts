import { choice } from '../../lib/cli/options.ts'
import { busy, latency, p99, step, valid, value, versus } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, rate, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { atRates } from '../sample/compared-rows.ts'
import { selectRows } from '../sample/rows.ts'

const { connections } = loadOptions

export const isolation = rowsCommand({
  name: 'isolation',
  description: `Measures how long /hello takes, sent on a schedule, beside a closed loop of clients that keep the app busy with
something else. Costs are CPU microseconds a good response of either kind.`,
  options: {
    ...rowOptions,
    rate: { ...rate, default: '200' },
    beside: choice({ choices: scenarioNames, default: 'heavy', help: 'the requests of the closed loop' }),
    connections,
    ...samplingOptions,
  },
  plan(options) {
    const rows = atRates(selectRows(options.steps, options.step, options), options.rate)
    return { rows, settings: settingsFrom('isolation', options, { ...options, scenario: 'hello' }) }
  },
  title: () => 'How one route delays another',
  metric: 'p99Ms',
  columns: () => [
    step,
    latency('p50', 1),
    p99(1),
    ...versus('versusPrevious', 'p99Ms', 'p99 × previous'),
    value('beside/s', 0, sample => sample.besideGoodput ?? Number.NaN),
    busy,
    valid,
  ],
  plots: [bars('p99Ms'), ratios('p99Ms')],
})
