import { told, wordOf } from '../../commands/cores-remarks.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import type { Figure } from '../figure.ts'
import { verdictSymbols } from '../palette.ts'
import { figureOf, type Gain } from './gains.ts'

const metrics = Object.keys(told) as (Metric & keyof typeof told)[]

/** What a way to use the cores is of the first, in all that is compared. @param row from 1 */
export function coresFigure({ steps }: Results, row: number): Figure | null {
  const [first, own] = [steps[0], steps[row]]
  const gains = metrics.flatMap((metric): Gain[] => {
    const given = own?.versusFirst?.[metric]
    if (!given || given.ratio === null) return []
    const label = `${given.ratio.toFixed(2)}× ${verdictSymbols[given.verdict]} ${wordOf(metric, given.verdict)}`
    return [{ name: told[metric].what, label, given, atBest: null }]
  })
  return gains.length === 0 ? null : figureOf(`cores-${row}`, `${own?.name} against ${first?.name}`, gains)
}
