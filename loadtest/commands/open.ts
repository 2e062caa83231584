import { appOptions } from '../../app/config.ts'
import { lastStep } from '../../app/steps.ts'
import { choices } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import {
  busy,
  type Columns,
  latency,
  mainThread,
  p99,
  step,
  valid,
  value,
  versus,
  wakeups,
} from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, loadPercent, openOptions, rowOptions, samplingOptions } from '../options.ts'
import { fixed, middle, middleOf } from '../outcome/format.ts'
import type { PlannedRun, RowResult, Settings } from '../outcome/results.ts'
import { ratios } from '../report/plots/gains.ts'
import { latencyPlot } from '../report/plots/latency.ts'
import { bars } from '../report/plots/values.ts'
import { planShares } from '../run/capacity.ts'
import { atLoads, atRates, withoutLoad } from '../sample/compared-rows.ts'
import { selectRow, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { settingsFrom } from '../settings-from.ts'
import { median } from '../statistics/median.ts'

const DEFAULT_RATE = 100

/** With as few requests in flight, an app refuses none: see `app/server/overload/admission.ts`. */
const FEW_CONNECTIONS = 64

/** For rows that differ in what the app does when it is overloaded. */
const answers: Columns = [
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  ...otherAnswers('refused', 'failed'),
]

/** Latency and cost at several rates, and against the first row at the same rate. */
const columns = (rows: readonly RowResult[]): Columns => [
  step,
  ...(rows.some(({ app }) => app?.overload !== undefined) ? answers : []),
  latency('p50', 2),
  ...versus('versusFirst', 'p50Ms', '× first'),
  latency('p90', 2),
  p99(1),
  ...versus('versusFirst', 'p99Ms', '× first'),
  latency('max', 1),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  busy,
  wakeups,
  ...versus('versusFirst', 'wakeups', '× first'),
  value('sent late, p99 ms', 1, sample => sample.latenessMs?.p99 ?? Number.NaN),
  valid,
]

export const open = rowsCommand({
  name: 'open',
  description: `Sends requests on a schedule, without waiting for the answers, and counts latency from the scheduled time.
Several rates show latency against load, and whether a response costs the main thread the same at each rate. With
--steps, every step gets the same rates; with --load, they are shares of what the first row answers in a closed loop.`,
  options: {
    ...rowOptions,
    ...openOptions,
    rate: { ...openOptions.rate, help: `${openOptions.rate.help} (default ${DEFAULT_RATE})` },
    overload: choices({
      choices: appOptions.overload.choices,
      help: 'what the app does with requests beyond its capacity; a list gives a row for each. It needs many --connections',
    }),
    loadPercent: { ...loadPercent, help: `instead of --rate: ${loadPercent.help}` },
    ...loadOptions,
    ...samplingOptions,
  },
  async plan(options, abort): Promise<PlannedRun> {
    const { rate, loadPercent, steps, step, overload, connections } = options
    if (overload && connections <= FEW_CONNECTIONS)
      throw new UserError(
        `--overload needs more than ${FEW_CONNECTIONS} --connections, such as 1000: with ${connections}, no more requests are in flight, and the app refuses none`,
      )
    if (rate && loadPercent) throw new UserError('--rate and --load exclude each other; give one of them')
    const settings = { ...settingsFrom('open', options, options), baseline: 'first' as const }
    const isOne = steps === undefined && overload === undefined
    const named = steps === undefined ? (step ?? lastStep.name) : step
    const rows = isOne ? [selectRow(step, options)] : selectRows(steps, named, options)
    if (loadPercent) return planShares(rows, loadPercent, settings, abort)
    const rates = rate ?? [DEFAULT_RATE]
    if (rows.length === 1) return { rows: atRates(rows, rates), settings }
    const loads = rates.map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
    return { rows: atLoads(rows, loads), settings }
  },
  heading: () => ({
    title: 'Requests on a schedule',
    introduction: 'Requests are sent at their scheduled time, without waiting for earlier answers.',
  }),
  columns: ({ steps }) => columns(steps),
  remarks: ({ steps, settings }) => describeCapacity(settings, steps),
  plots: [
    latencyPlot,
    bars('mainThreadMicros'),
    ratios('mainThreadMicros'),
    bars('goodput'),
    ratios('goodput'),
  ],
})

function otherAnswers(...kinds: readonly (keyof Sample['otherAnswers'])[]): Columns {
  return kinds.map(kind => ({
    title: `${kind}/s`,
    cell: row =>
      fixed(
        middleOf(row, sample => sample.otherAnswers[kind]),
        0,
      ),
  }))
}

/** Says what 100 % is, when loads are shares of a capacity. */
function describeCapacity({ capacity }: Pick<Settings, 'capacity'>, [first]: readonly RowResult[]): string[] {
  if (!capacity) return []
  const goodput = (median(capacity) as number).toFixed(0)
  const name = withoutLoad(first?.name ?? 'the first row')
  return [`100 % is ${goodput} requests a second, which ${name} answered in a closed loop.`]
}
