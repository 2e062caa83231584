import type { BreakEvenResults } from '../../commands/break-even/results.ts'
import { type PlotName, plottedMetrics } from '../../declaration/presentation.ts'
import type { Results, SavedRun } from '../../outcome/results.ts'
import type { Plot } from '../plot.ts'
import { gainsPlot } from './gains.ts'
import { latencyPlot } from './latency.ts'
import { goodputOverCoresPlot, overLoadPlot, taskLengthPlots } from './over.ts'
import { spectrumPlot } from './spectrum.ts'
import { valuePlot } from './values.ts'

/** Makes the plots of one name; none when the results have nothing to show. */
type MakePlots<Run> = (run: Run) => Plot | readonly Plot[] | null

/** The plots that show something else than one metric, by their names. */
const others: Readonly<Record<string, MakePlots<Results>>> = {
  spectrum: spectrumPlot,
  latency: latencyPlot,
  'goodput-over-cores': goodputOverCoresPlot,
}

/** The plots of a metric, by how they show it. */
const ofMetric = {
  '': (metric, results) => valuePlot(metric, results),
  '-versus-previous': (metric, results) => gainsPlot(results, 'versusPrevious', metric),
  '-versus-first': (metric, results) => gainsPlot(results, 'versusFirst', metric),
  '-over-load': overLoadPlot,
} as const satisfies Record<string, (metric: PlottedMetric, results: Results) => Plot | null>
type PlottedMetric = (typeof plottedMetrics)[keyof typeof plottedMetrics]

/** Draws the plots that a command has declared. */
export function makePlots(names: readonly PlotName[], run: SavedRun): Plot[] {
  if (!('steps' in run)) return names.includes('task-lengths') ? taskLengthPlots(run as BreakEvenResults) : []
  return names.flatMap(name => (others[name] ?? plotterOf(name))(run as Results) ?? [])
}

function plotterOf(name: PlotName): MakePlots<Results> {
  const [, metric, how] = /^(.+?)(-versus-\w+|-over-load|)$/.exec(name) as unknown as [
    string,
    keyof typeof plottedMetrics,
    keyof typeof ofMetric,
  ]
  return results => ofMetric[how](plottedMetrics[metric], results)
}
