import type { BreakEvenResults } from '../break-even/results.ts'
import type { PlotName } from '../declaration/presentation.ts'
import type { Results } from '../outcome/results.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import type { Figure } from './figure.ts'
import { coresFigures } from './figures/cores.ts'
import { gainsFigure } from './figures/gains.ts'
import { latencyFigure } from './figures/latency.ts'
import { loadCurveFigure } from './figures/load-curve.ts'
import { overLoadFigure } from './figures/over-load.ts'
import { prismFigure } from './figures/prism.ts'
import { spectrumFigure } from './figures/spectrum.ts'
import { taskLengthFigures } from './figures/task-lengths.ts'
import { valueFigure } from './figures/values.ts'

/** Makes the figures of one plot; none when the results have nothing to show. */
type MakeFigures<Run> = (run: Run) => Figure | readonly Figure[] | null

const plotsOfRows: Readonly<Record<Exclude<PlotName, 'task-lengths'>, MakeFigures<Results>>> = {
  prism: prismFigure,
  spectrum: results => spectrumFigure('micros', results),
  'spectrum-shares': results => spectrumFigure('shares', results),
  'main-thread': results => valueFigure('mainThread', results),
  ceiling: results => valueFigure('ceiling', results),
  goodput: results => valueFigure('goodput', results),
  pauses: results => valueFigure('pauses', results),
  memory: results => valueFigure('memory', results),
  'shared-memory': results => valueFigure('shared', results),
  hello: results => valueFigure('hello', results),
  total: results => valueFigure('total', results),
  'main-thread-versus-previous': results =>
    gainsFigure(results, 'versusPrevious', 'mainThreadMicros', 'Main-thread cost, against the row above'),
  'goodput-versus-previous': results =>
    gainsFigure(results, 'versusPrevious', 'goodput', 'Goodput, against the row above'),
  'p99-versus-previous': results =>
    gainsFigure(results, 'versusPrevious', 'p99Ms', 'p99, against the row above'),
  'main-thread-versus-first': results =>
    gainsFigure(results, 'versusFirst', 'mainThreadMicros', 'Main-thread cost, against the first row'),
  'goodput-versus-first': results =>
    gainsFigure(results, 'versusFirst', 'goodput', 'Goodput, against the first row'),
  latency: latencyFigure,
  'load-curve': loadCurveFigure,
  'main-thread-over-load': results => overLoadFigure('mainThreadMicros', results),
  'wakeups-over-load': results => overLoadFigure('wakeups', results),
  'p50-over-load': results => overLoadFigure('p50Ms', results),
  'p99-over-load': results => overLoadFigure('p99Ms', results),
  'equal-cores': coresFigures,
}

const plotsOfTasks: Readonly<Record<'task-lengths', MakeFigures<BreakEvenResults>>> = {
  'task-lengths': taskLengthFigures,
}

const plots = { ...plotsOfRows, ...plotsOfTasks } as Readonly<Record<PlotName, MakeFigures<SavedRun>>>

/** Draws the plots that a command has declared. */
export const makeFigures = (names: readonly PlotName[], run: SavedRun): Figure[] =>
  names.flatMap(name => plots[name](run) ?? [])
