import { availableParallelism } from 'node:os'
import { findFreePort } from '../../lib/free-port.ts'
import { formatDuration } from '../../lib/units.ts'
import type { Load } from '../generator/protocol.ts'
import { describeOutcome } from '../run/calibration.ts'
import { chooseCores } from '../sample/cores.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import type { takeSample } from '../sample/take-sample.ts'
import { threadsOn } from './ladder.ts'
import { type Model, predict } from './model.ts'
import type { Figures, ValidationCell } from './results.ts'
import { loadOf, type PlannedCell, planCells, VALIDATED_CORES } from './validation-cells.ts'

/** A guess of the seconds that a sample takes to start and stop its stack. */
const OVERHEAD_SECONDS = 2
/** The window of an open loop is longer than that of a closed one by this factor. */
const OPEN_WINDOW = 2

interface MeasureOptions {
  readonly model: Model
  readonly rows: readonly Row[]
  readonly settings: SampleSettings
  readonly abort: AbortSignal
  /** Cells that were measured before, in the order of the plan; they are not measured again. */
  readonly earlier: readonly ValidationCell[]
  /** Called after each cell with all cells so far. */
  readonly save: (cells: readonly ValidationCell[]) => void
  readonly take: typeof takeSample
}

/** The cells on one number of cores, and how these are chosen. */
interface Group {
  readonly cells: readonly PlannedCell[]
  /** The cores that the app and its sidecars are kept on; null when they have all. */
  readonly pinned: readonly number[] | null
  /** Number of cores that clients and upstream have of their own; null if they share those of the app. */
  readonly apart: number | null
}

/** Measures every cell once, or twice if the first sample is refused, and predicts it. */
export async function measureCells(options: MeasureOptions): Promise<ValidationCell[]> {
  const { rows, settings, abort, earlier, save } = options
  const groups = planGroups(rows)
  const all = groups.flatMap(({ cells }) => cells)
  const count = all.length
  const left = all.slice(earlier.length).map(cell => secondsOf(cell, settings))
  const leftMs = 1000 * left.reduce((sum, seconds) => sum + seconds, 0)
  process.stderr.write(`${left.length} of ${count} cells to validate, about ${formatDuration(leftMs)}\n`)
  const livePort = await findFreePort()
  const measured = [...earlier]
  for (const group of groups) {
    let capacity = Number.NaN
    for (const cell of group.cells) {
      const known = earlier[all.indexOf(cell)]
      if (known) {
        if (Number.isNaN(capacity)) capacity = known.measured.goodput
        continue
      }
      abort.throwIfAborted()
      const load = loadOf(cell, capacity, settings.seed)
      const sample = await measureCell(cell, load, group, livePort, options)
      if (Number.isNaN(capacity)) capacity = sample.goodput
      measured.push(toCell(options.model, cell, load, group, sample))
      save(measured)
      process.stderr.write(
        `[validation ${measured.length}/${count}] ${describe(cell)}: ${describeOutcome(sample)}\n`,
      )
    }
  }
  return measured
}

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
    cells: planCells(rows, cores),
    pinned: chooseCores(cores),
    apart: cores === all ? null : all - most,
  }))
}

async function measureCell(
  cell: PlannedCell,
  load: Load,
  { pinned }: Group,
  livePort: number,
  { settings, abort, take }: MeasureOptions,
): Promise<Sample> {
  const { row, cores, connections } = cell
  const loaded: Row =
    load.kind === 'closed' ? row : { ...row, ratePerSecond: load.ratePerSecond, baseline: row.name }
  const durationSeconds = windowOf(cell, settings.durationSeconds)
  const own = { ...settings, durationSeconds, connections, threads: threadsOn(cores), cores: pinned }
  const first = await take(loaded, 1, own, abort, livePort)
  return first.valid ? first : take(loaded, 2, own, abort, livePort)
}

function toCell(
  model: Model,
  { row: { number, name }, cores, connections, sharePercent }: PlannedCell,
  load: Load,
  { apart }: Group,
  { valid, reason, noise = null, goodput, latencyMs }: Sample,
): ValidationCell {
  const step = model.steps.find(step => step.name === name)
  if (!step) throw new Error(`the model has no step ${name}`)
  const machine = { cores, apart, instances: 1, threads: threadsOn(cores) }
  const predicted = predict(model, step, { ...machine, connections, load })
  return {
    ...{ number, name, cores, load, connections, sharePercent, valid, reason, noise },
    measured: figuresOf({ goodput, latencyMs }),
    predicted: figuresOf(predicted),
  }
}

const figuresOf = ({ goodput, latencyMs: { p50, p99 } }: Figures): Figures => ({
  goodput,
  latencyMs: { p50, p99 },
})

const describe = ({ row, cores, connections, sharePercent }: PlannedCell) =>
  `${row.name}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${sharePercent === null ? `${connections} connections` : `${sharePercent} %`}`
