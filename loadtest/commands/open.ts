import { percents } from '../../lib/options.ts'
import { UserError } from '../../lib/user-error.ts'
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
import { loadOptions, openOptions, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { middle } from '../outcome/format.ts'
import type { RowResult } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { measureCapacity } from '../run/capacity.ts'
import type { PlannedRun } from '../run/planned-run.ts'
import {
  atLoads,
  atRates,
  type NamedLoad,
  type Row,
  selectRow,
  selectRows,
  withoutLoad,
} from '../sample/rows.ts'
import { median } from '../statistics/median.ts'
import { checkCeiling } from './ceiling-remarks.ts'

/** Closed-loop samples of the first row, when loads are shares of its capacity. */
const CAPACITY_SAMPLES = 3
const DEFAULT_RATE = 100

/** Latency and cost at several rates, and against the first row at the same rate. */
const columns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
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
    loadPercent: percents({
      min: 1,
      max: 100,
      help: 'instead of --rate: shares of the capacity of the first row, which is measured first',
    }),
    ...loadOptions,
    ...samplingOptions,
  },
  async plan(options, abort): Promise<PlannedRun> {
    const { rate, loadPercent, steps, step } = options
    if (rate && loadPercent) throw new UserError('--rate and --load exclude each other; give one of them')
    const settings = { ...settingsFrom('open', options, options), baseline: 'first' as const }
    const rows = steps === undefined ? [selectRow(step, options)] : selectRows(steps, step, options)
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
  columns: () => columns,
  remarks: ({ steps, settings }) => [
    ...describeCapacity(settings, steps),
    ...(steps.some(({ baseline }) => baseline !== undefined) ? [] : checkCeiling(steps)),
  ],
  plots: [
    'main-thread-over-load',
    'wakeups-over-load',
    'p50-over-load',
    'p99-over-load',
    'load-curve',
    'latency',
    'main-thread',
    'main-thread-versus-first',
    'goodput-versus-first',
  ],
})

/** Measures the capacity of the first row, and plans every row at each share of it. */
async function planShares(
  rows: readonly Row[],
  shares: readonly number[],
  settings: Settings,
  abort: AbortSignal,
): Promise<PlannedRun> {
  const capacity = await measureCapacity(rows[0] as Row, CAPACITY_SAMPLES, settings, abort)
  const loads = shares.map((share): NamedLoad => {
    const ratePerSecond = Math.max(1, Math.round(((median(capacity) as number) * share) / 100))
    return { name: `${share} % (${ratePerSecond}/s)`, ratePerSecond }
  })
  return { rows: atLoads(rows, loads), settings: { ...settings, capacity } }
}

function describeCapacity({ capacity }: Settings, [first]: readonly RowResult[]): string[] {
  if (!capacity) return []
  const goodput = (median(capacity) as number).toFixed(0)
  const name = withoutLoad(first?.name ?? 'the first row')
  return [`100 % is ${goodput} requests a second, which ${name} answered in a closed loop.`]
}
