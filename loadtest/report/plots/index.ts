import type { BreakEvenResults } from '../../commands/break-even/results.ts'
import type { PlotName } from '../../declaration/presentation.ts'
import { type Results, withoutAbsent } from '../../outcome/results.ts'
import type { SavedRun } from '../../outcome/saved-run.ts'
import type { Plot } from '../report-plot.ts'
import { coresPlots } from './cores.ts'
import { gainsPlot } from './gains.ts'
import { latencyPlot } from './latency.ts'
import { besideTheTalkPlot, goodputOverCoresPlot } from './over-cores.ts'
import { overLoadPlot } from './over-load.ts'
import { prismPlot } from './prism.ts'
import { spectrumPlot } from './spectrum.ts'
import { taskLengthPlots } from './task-lengths.ts'
import { valuePlot } from './values.ts'

/** Makes the plots of one name; none when the results have nothing to show. */
type MakePlots<Run> = (run: Run) => Plot | readonly Plot[] | null

const plotsOfRows: Readonly<Record<Exclude<PlotName, 'task-lengths'>, MakePlots<Results>>> = {
  prism: prismPlot,
  spectrum: results => spectrumPlot('micros', results),
  'spectrum-shares': results => spectrumPlot('shares', results),
  'main-thread': results => valuePlot('mainThread', results),
  ceiling: results => valuePlot('ceiling', results),
  goodput: results => valuePlot('goodput', results),
  'shared-memory': results => valuePlot('shared', results),
  hello: results => valuePlot('hello', results),
  total: results => valuePlot('total', results),
  'main-thread-versus-previous': results =>
    gainsPlot(results, 'versusPrevious', 'mainThreadMicros', 'Main-thread cost, against the row above'),
  'goodput-versus-previous': results =>
    gainsPlot(results, 'versusPrevious', 'goodput', 'Goodput, against the row above'),
  'p99-versus-previous': results =>
    gainsPlot(results, 'versusPrevious', 'p99Ms', 'p99, against the row above'),
  'p99-versus-first': results => gainsPlot(results, 'versusFirst', 'p99Ms', 'p99, against the first row'),
  'main-thread-versus-first': results =>
    gainsPlot(results, 'versusFirst', 'mainThreadMicros', 'Main-thread cost, against the first row'),
  'goodput-versus-first': results =>
    gainsPlot(results, 'versusFirst', 'goodput', 'Goodput, against the first row'),
  latency: latencyPlot,
  'goodput-over-load': results => overLoadPlot('goodput', results),
  'main-thread-over-load': results => overLoadPlot('mainThreadMicros', results),
  'wakeups-over-load': results => overLoadPlot('wakeups', results),
  'p50-over-load': results => overLoadPlot('p50Ms', results),
  'p99-over-load': results => overLoadPlot('p99Ms', results),
  'equal-cores': coresPlots,
  'goodput-over-cores': goodputOverCoresPlot,
  'beside-the-talk': besideTheTalkPlot,
}

const plotsOfTasks: Readonly<Record<'task-lengths', MakePlots<BreakEvenResults>>> = {
  'task-lengths': taskLengthPlots,
}

const plots = { ...plotsOfRows, ...plotsOfTasks } as Readonly<Record<PlotName, MakePlots<SavedRun>>>

/** Draws the plots that a command has declared. */
export function makePlots(names: readonly PlotName[], run: SavedRun): Plot[] {
  const shown = 'steps' in run ? withoutAbsent(run as Results) : run
  return names.flatMap(name => plots[name](shown) ?? [])
}
