import { told, toldMetrics } from '../../commands/equal-cores/remarks.ts'
import type { Results } from '../../outcome/results.ts'
import type { Plot } from '../report-plot.ts'
import { type Gain, gainOf, plotOf } from './gains.ts'

/** Each way to use the cores against the first, in everything that is compared: a plot each. */
export const coresPlots = (results: Results): Plot[] =>
  results.steps.slice(1).flatMap((_, index) => coresPlot(results, index + 1) ?? [])

/** @param row from 1 */
function coresPlot({ steps }: Results, row: number): Plot | null {
  const [first, own] = [steps[0], steps[row]]
  const gains = toldMetrics.flatMap((metric): Gain[] => {
    const given = own?.versusFirst?.[metric]
    if (!given || given.ratio === null) return []
    return [gainOf(told[metric], metric, given)]
  })
  return gains.length === 0 ? null : plotOf(`cores-${row}`, `${own?.name} against ${first?.name}`, gains)
}
