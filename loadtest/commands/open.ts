import { appOptions } from '../../app/config.ts'
import { lastStep } from '../../app/steps.ts'
import { choices, percents } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import {
  busy,
  type Columns,
  goodput,
  latency,
  mainThread,
  p99,
  step,
  valid,
  value,
  versus,
} from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, rate, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import type { PlannedRun, RowResult, Settings } from '../outcome/results.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { MAX_REPETITIONS } from '../run/measure.ts'
import { atLoads, atRates, type NamedLoad, withoutLoad } from '../sample/compared-rows.ts'
import { type Row, selectRow, selectRows } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { median } from '../statistics/median.ts'

const DEFAULT_RATE = 100

/** With as few requests in flight, an app refuses none: see `app/server/overload/admission.ts`. */
const FEW_CONNECTIONS = 64

/** For rows that differ in what the app does when it is overloaded. */
const answers: Columns = [
  goodput,
  ...(['refused', 'failed'] as const).map(kind => value(`${kind}/s`, 0, sample => sample.otherAnswers[kind])),
]

const columns = (rows: readonly RowResult[]): Columns => [
  step,
  ...(rows.some(({ app }) => app?.overload !== undefined) ? answers : []),
  latency('p50', 2),
  ...versus('versusFirst', 'p50Ms', '× first'),
  latency('p90', 2),
  p99(1),
  ...versus('versusFirst', 'p99Ms', '× first'),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  busy,
  valid,
]

export const open = rowsCommand({
  name: 'open',
  description: `Sends requests on a schedule, without waiting for the answers, and counts latency from the scheduled time.
Several rates show latency against load, and whether a response costs the main thread the same at each rate. With
--steps, every step gets the same rates; with --load, they are shares of what the first row answers in a closed loop.`,
  options: {
    ...rowOptions,
    rate: { ...rate, help: `${rate.help} (default ${DEFAULT_RATE})` },
    overload: choices({
      choices: appOptions.overload.choices,
      help: 'what the app does with requests beyond its capacity; a list gives a row for each. It needs many --connections',
    }),
    loadPercent: percents({
      min: 1,
      max: 100,
      help: 'instead of --rate: shares of the capacity of the first row, which is measured first',
    }),
    ...loadOptions,
    ...samplingOptions,
  },
  async plan(options, abort): Promise<PlannedRun> {
    const { rate: rates = [DEFAULT_RATE], loadPercent, steps, step, overload, connections } = options
    if (overload && connections <= FEW_CONNECTIONS)
      throw new UserError(
        `--overload needs more than ${FEW_CONNECTIONS} --connections, such as 1000: with ${connections}, no more requests are in flight, and the app refuses none`,
      )
    if (options.rate && loadPercent)
      throw new UserError('--rate and --load exclude each other; give one of them')
    const settings = { ...settingsFrom('open', options, options), baseline: 'first' as const }
    const isOne = steps === undefined && overload === undefined
    const named = steps === undefined ? (step ?? lastStep.name) : step
    const rows = isOne ? [selectRow(step, options)] : selectRows(steps, named, options)
    if (loadPercent) return planShares(rows, loadPercent, settings, abort)
    if (rows.length === 1) return { rows: atRates(rows, rates), settings }
    const loads = rates.map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
    return { rows: atLoads(rows, loads), settings }
  },
  title: () => 'Requests on a schedule',
  columns: ({ steps }) => columns(steps),
  remarks: ({ steps, settings }) => describeCapacity(settings, steps),
  plots: [bars('p50Ms'), bars('p99Ms'), bars('mainThreadMicros'), ratios('mainThreadMicros')],
})

/** Says what 100 % is, when loads are shares of a capacity. */
function describeCapacity({ capacity }: Pick<Settings, 'capacity'>, [first]: readonly RowResult[]): string[] {
  if (!capacity) return []
  const goodput = (median(capacity) as number).toFixed(0)
  const name = withoutLoad(first?.name ?? 'the first row')
  return [`100 % is ${goodput} requests a second, which ${name} answered in a closed loop.`]
}

const CAPACITY_SAMPLES = 3

/** Plans every row at each share, in percent, of the capacity of the first, which is measured now. */
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

/**
 * Measures how many requests a row answers well in a closed loop, before the run itself.
 * @returns good responses a second of each valid sample
 * @throws UserError when no sample is valid
 */
export async function measureCapacity(
  row: Row,
  samples: number,
  settings: SampleSettings,
  abort: AbortSignal,
  take: typeof takeSample = takeSample,
): Promise<number[]> {
  const goodput: number[] = []
  let reason: string | null = null
  for (let attempt = 0; goodput.length < samples && attempt < samples + MAX_REPETITIONS; attempt++) {
    abort.throwIfAborted()
    const sample = await take(row, attempt + 1, settings, abort)
    if (sample.valid) goodput.push(sample.goodput)
    else reason = sample.reason
    const outcome = sample.valid ? `${Math.round(sample.goodput)} good/s` : `refused: ${sample.reason}`
    process.stderr.write(`[capacity] ${row.name}: ${outcome}\n`)
  }
  if (goodput.length === 0)
    throw new UserError(`the capacity of ${row.name} could not be measured: ${reason}; give --rate instead`)
  return goodput
}
