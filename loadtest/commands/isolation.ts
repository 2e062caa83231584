import { choice } from '../../lib/cli/options.ts'
import { busy, type Columns, latency, p99, step, valid, value, versus } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, rate, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { hasVersions, type Settings } from '../outcome/results.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { atRates } from '../sample/compared-rows.ts'
import { type Row, selectRows } from '../sample/rows.ts'

const { connections } = loadOptions

/** Steps are compared with the row above, versions of Node.js with the first of the same step. */
const baselineOf = (rows: readonly Pick<Row, 'node'>[]) => (hasVersions(rows) ? 'first' : 'previous')

const columnsVersus = (which: Settings['baseline']): Columns => [
  step,
  latency('p50', 1),
  p99(1),
  ...versus(which === 'first' ? 'versusFirst' : 'versusPrevious', 'p99Ms', `p99 × ${which}`),
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
    rate: { ...rate, default: '200' },
    beside: choice({ choices: scenarioNames, default: 'heavy', help: 'the requests of the closed loop' }),
    connections,
    ...samplingOptions,
  },
  plan(options) {
    const rows = atRates(selectRows(options.steps, options.step, options), options.rate)
    const load = { ...options, scenario: 'hello', baseline: baselineOf(rows) } as const
    return { rows, settings: settingsFrom('isolation', options, load) }
  },
  heading: () => ({
    title: 'How one route delays another',
    introduction:
      '/hello is requested on a schedule, while other clients keep the app busy with something else.',
  }),
  metric: 'p99Ms',
  columns: ({ steps }) => columnsVersus(baselineOf(steps)),
  plots: [bars('p99Ms'), ratios('p99Ms')],
})
