import { availableParallelism } from 'node:os'
import { findFreePort } from '../../lib/free-port.ts'
import { formatDuration } from '../../lib/units.ts'
import type { Load } from '../generator/protocol.ts'
import { describeOutcome } from '../run/calibration.ts'
import { measureCapacity } from '../run/capacity.ts'
import { MAX_REPETITIONS } from '../run/repetitions.ts'
import { CAPACITY_SAMPLES } from '../run/shares.ts'
import { chooseCores } from '../sample/cores.ts'
import { loadOf } from '../sample/generate-load.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import type { takeSample } from '../sample/take-sample.ts'
import { median } from '../statistics/median.ts'
import { type Model, predict } from './model.ts'
import type { CellFigures, PlanResults, ValidationCell } from './results.ts'
import { type PlannedCell, planCells, rateOf, VALIDATED_CORES } from './validation-cells.ts'
import { windowOfSample } from './window.ts'

/** A guess of the seconds that a sample takes to start and stop its stack. */
const OVERHEAD_SECONDS = 2
/** The window of an open loop is longer than that of a closed one by this factor. */
const OPEN_WINDOW = 2

export type Validated = Pick<PlanResults, 'capacities'> & { readonly validation: readonly ValidationCell[] }

interface MeasureOptions {
  readonly model: Model
  readonly rows: readonly Row[]
  readonly settings: SampleSettings
  readonly abort: AbortSignal
  /** Cells that were measured before, in the order of the plan; they are not measured again. */
  readonly earlier: Validated
  /** Called after each capacity and each cell with all of them so far. */
  readonly save: (validated: Validated) => void
  readonly take: typeof takeSample
}

/** The cells on one number of cores, and how these are chosen. */
interface Group {
  readonly cores: number
  readonly cells: readonly PlannedCell[]
  /** The cores that the app and its sidecars are kept on; null when they have all. */
  readonly pinned: readonly number[] | null
  /** Number of cores that clients and upstream have of their own; null if they share those of the app. */
  readonly apart: number | null
}

/**
 * Measures the capacity on each number of cores, then every cell, and predicts the cells.
 * @throws UserError when a capacity cannot be measured
 */
export async function measureCells(options: MeasureOptions): Promise<void> {
  const { rows, settings, abort, earlier, save } = options
  const groups = planGroups(rows)
  const all = groups.flatMap(({ cells }) => cells)
  const count = all.length
  const left = all.slice(earlier.validation.length).map(cell => secondsOf(cell, settings))
  const leftMs = 1000 * left.reduce((sum, seconds) => sum + seconds, 0)
  process.stderr.write(`${left.length} of ${count} cells to validate, about ${formatDuration(leftMs)}\n`)
  const livePort = await findFreePort()
  let { capacities, validation } = earlier
  for (const group of groups) {
    const capacity = capacities[group.cores] ?? (await measureCapacityOf(group, options))
    capacities = { ...capacities, [group.cores]: capacity }
    save({ capacities, validation })
    for (const cell of group.cells) {
      if (all.indexOf(cell) < earlier.validation.length) continue
      abort.throwIfAborted()
      const rate = rateOf(cell, capacity)
      const sample = await measureCell(cell, rate, group, livePort, options)
      validation = [...validation, toCell(options, cell, loadOf(settings, sample.round, rate), group, sample)]
      save({ capacities, validation })
      process.stderr.write(
        `[validation ${validation.length}/${count}] ${describe(cell)}: ${describeOutcome(sample)}\n`,
      )
    }
  }
}

/** The median goodput of the first row with the most connections. */
async function measureCapacityOf(
  group: Group,
  { rows, settings, abort, take }: MeasureOptions,
): Promise<number> {
  const own = settingsOn(group, settings)
  return median(await measureCapacity(rows[0] as Row, CAPACITY_SAMPLES, own, abort, take)) as number
}

/** The settings of a sample on the cores of a group. */
const settingsOn = ({ cores, pinned }: Group, settings: SampleSettings): SampleSettings => ({
  ...settings,
  threads: cores,
  cores: pinned,
})

/** A guess of the time that a cell takes. */
const secondsOf = (cell: PlannedCell, { warmupSeconds, durationSeconds }: SampleSettings) =>
  warmupSeconds + windowOf(cell, durationSeconds) + OVERHEAD_SECONDS

/** In an open loop, fewer requests are answered, and p99 depends on fewer of them. */
const windowOf = ({ sharePercent }: PlannedCell, durationSeconds: number) =>
  sharePercent === null ? durationSeconds : OPEN_WINDOW * durationSeconds

/**
 * The cells on all cores come first: for the others, the load test keeps itself on the cores that the largest group
 * leaves free.
 */
function planGroups(rows: readonly Row[]): Group[] {
  const all = availableParallelism()
  const counts = VALIDATED_CORES.filter(cores => cores <= all)
  const most = Math.max(0, ...counts.filter(cores => cores < all))
  return counts.map(cores => ({
    cores,
    cells: planCells(rows, cores),
    pinned: chooseCores(cores),
    apart: cores === all ? null : all - most,
  }))
}

async function measureCell(
  cell: PlannedCell,
  rate: number | null,
  group: Group,
  livePort: number,
  { settings, abort, take }: MeasureOptions,
): Promise<Sample> {
  const { row, connections } = cell
  const loaded: Row = rate === null ? row : { ...row, ratePerSecond: rate }
  const durationSeconds = windowOf(cell, settings.durationSeconds)
  const own = { ...settingsOn(group, settings), durationSeconds, connections }
  const samples: Sample[] = []
  while (!samples.at(-1)?.valid && samples.length <= MAX_REPETITIONS)
    samples.push(await take(loaded, samples.length + 1, own, abort, livePort))
  return samples.at(-1) as Sample
}

function toCell(
  { model, settings }: MeasureOptions,
  cell: PlannedCell,
  load: Load,
  { apart }: Group,
  { valid, reason, noise = null, ...measured }: Sample,
): ValidationCell {
  const { cores, connections, sharePercent } = cell
  const { number, name } = cell.row
  const step = model.steps.find(step => step.name === name)
  if (!step) throw new Error(`the model has no step ${name}`)
  const machine = { cores, apart, instances: 1, threads: cores }
  const window = windowOfSample(load, settings.warmupSeconds, windowOf(cell, settings.durationSeconds))
  const predicted = predict(model, step, { ...machine, connections, load, window })
  return {
    ...{ number, name, cores, load, connections, sharePercent, valid, reason, noise },
    measured: figuresOf(measured),
    predicted: figuresOf(predicted),
  }
}

const figuresOf = ({ goodput, latencyMs: { p50, p99 }, mainThreadMicros, totalMicros }: CellFigures) => ({
  ...{ goodput, mainThreadMicros, totalMicros },
  latencyMs: { p50, p99 },
})

const describe = ({ row, cores, connections, sharePercent }: PlannedCell) =>
  `${row.name}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${sharePercent === null ? `${connections} connections` : `${sharePercent} %`}`
