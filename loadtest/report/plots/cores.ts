import { told, wordOf } from '../../commands/equal-cores-remarks.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import { verdictSymbols } from '../palette.ts'
import type { Plot } from '../report-plot.ts'
import { type Gain, plotOf } from './gains.ts'

const metrics = Object.keys(told) as (Metric & keyof typeof told)[]

/** Each way to use the cores against the first, in everything that is compared: a plot each. */
export const coresPlots = (results: Results): Plot[] =>
  results.steps.slice(1).flatMap((_, index) => coresPlot(results, index + 1) ?? [])

/** @param row from 1 */
function coresPlot({ steps }: Results, row: number): Plot | null {
  const [first, own] = [steps[0], steps[row]]
  const gains = metrics.flatMap((metric): Gain[] => {
    const given = own?.versusFirst?.[metric]
    if (!given || given.ratio === null) return []
    const label = `${given.ratio.toFixed(2)}× ${verdictSymbols[given.verdict]} ${wordOf(metric, given.verdict)}`
    return [{ name: told[metric].what, label, given, atBest: null }]
  })
  return gains.length === 0 ? null : plotOf(`cores-${row}`, `${own?.name} against ${first?.name}`, gains)
}
