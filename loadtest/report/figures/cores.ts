import { told, toldMetrics } from '../../commands/equal-cores-remarks.ts'
import type { Results } from '../../outcome/results.ts'
import type { Figure } from '../figure.ts'
import { figureOf, type Gain, gainOf } from './gains.ts'

/** Each way to use the cores against the first, in everything that is compared: a figure each. */
export const coresFigures = (results: Results): Figure[] =>
  results.steps.slice(1).flatMap((_, index) => coresFigure(results, index + 1) ?? [])

/** @param row from 1 */
function coresFigure({ steps }: Results, row: number): Figure | null {
  const [first, own] = [steps[0], steps[row]]
  const gains = toldMetrics.flatMap((metric): Gain[] => {
    const given = own?.versusFirst?.[metric]
    if (!given || given.ratio === null) return []
    return [gainOf(told[metric], metric, given)]
  })
  return gains.length === 0 ? null : figureOf(`cores-${row}`, `${own?.name} against ${first?.name}`, gains)
}
