import { availableParallelism } from 'node:os'
import { findFreePort } from '../../lib/free-port.ts'
import { formatDuration } from '../../lib/units.ts'
import { describeOutcome } from '../run/calibration.ts'
import { chooseCores } from '../sample/cores.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { takeSample } from '../sample/take-sample.ts'
import { threadsOn } from './ladder.ts'
import { type Model, predict, type Situation } from './model.ts'
import type { ValidationCell } from './results.ts'
import { loadOf, type PlannedCell, planCells, VALIDATED_CORES } from './validation-cells.ts'

/** A guess of the seconds that a sample takes to start and stop its stack. */
const OVERHEAD_SECONDS = 2

interface MeasureOptions {
  readonly model: Model
  readonly rows: readonly Row[]
  readonly settings: SampleSettings
  readonly abort: AbortSignal
  /** Called after each cell with all cells so far. */
  readonly save: (cells: readonly ValidationCell[]) => void
}

/**
 * Measures every cell once, or twice if the first sample is refused, and predicts it.
 *
 * The cells on all cores come first: for the others the load test keeps itself on the cores that it leaves free.
 */
export async function measureCells(
  { model, rows, settings, abort, save }: MeasureOptions,
  take: typeof takeSample = takeSample,
): Promise<ValidationCell[]> {
  const all = availableParallelism()
  const cells: ValidationCell[] = []
  const planned = VALIDATED_CORES.filter(cores => cores <= all).map(cores => planCells(rows, cores))
  const count = planned.flat().length
  const livePort = await findFreePort()
  const seconds = settings.warmupSeconds + settings.durationSeconds + OVERHEAD_SECONDS
  process.stderr.write(`${count} cells to validate, about ${formatDuration(count * seconds * 1000)}\n`)
  for (const group of planned) {
    const pinned = chooseCores(group[0]?.cores ?? all)
    let capacity = Number.NaN
    for (const cell of group) {
      abort.throwIfAborted()
      const measured = await measureCell(cell, capacity)
      if (Number.isNaN(capacity)) capacity = measured.goodput
      cells.push(toCell(model, cell, measured, capacity, { all, seed: settings.seed }))
      save(cells)
      process.stderr.write(
        `[validation ${cells.length}/${count}] ${describe(cell)}: ${describeOutcome(measured)}\n`,
      )
    }

    async function measureCell(cell: PlannedCell, capacity: number): Promise<Sample> {
      const load = loadOf(cell, capacity, settings.seed)
      const row: Row =
        load.kind === 'closed'
          ? cell.row
          : { ...cell.row, ratePerSecond: load.ratePerSecond, baseline: cell.row.name }
      const { connections } = cell
      const own = { ...settings, connections, threads: threadsOn(cell.cores), cores: pinned }
      const first = await take(row, 1, own, abort, livePort)
      return first.valid ? first : take(row, 2, own, abort, livePort)
    }
  }
  return cells
}

function toCell(
  model: Model,
  cell: PlannedCell,
  { valid, reason, noise = null, goodput, latencyMs }: Sample,
  capacity: number,
  { all, seed }: { readonly all: number; readonly seed: number },
): ValidationCell {
  const { cores, connections, sharePercent, row } = cell
  const { number, name } = row
  const load = loadOf(cell, capacity, seed)
  const situation: Situation = {
    ...{ cores, connections, load, instances: 1, threads: threadsOn(cores) },
    apart: cores === all ? null : all - cores,
  }
  const step = model.steps.find(step => step.name === name)
  if (!step) throw new Error(`the model has no step ${name}`)
  const predicted = predict(model, step, situation)
  return {
    ...{ number, name, cores, load, connections, sharePercent, valid, reason, noise },
    measured: { goodput, latencyMs: { p50: latencyMs.p50, p99: latencyMs.p99 } },
    predicted: {
      goodput: predicted.goodput,
      latencyMs: { p50: predicted.latencyMs.p50, p99: predicted.latencyMs.p99 },
    },
  }
}

const describe = ({ row, cores, connections, sharePercent }: PlannedCell) =>
  `${row.name}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${sharePercent === null ? `${connections} connections` : `${sharePercent} %`}`
