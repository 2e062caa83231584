import { headingOf, type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/rows-at-loads.ts'
import { median } from '../../statistics/median.ts'
import { curvesPlot, type Point } from '../curves.ts'
import { nameOf, type Plot, validSamples } from '../plot.ts'

const HOW_TO_READ =
  'Requests were sent on a schedule, without waiting for earlier answers, at the same rates to every step; latency counts from the scheduled time. Each line is a step: the median of its samples, which are the small dots; both scales are logarithmic. Where latency rises steeply the service begins to fall behind.'

/** Plots one metric over the load, a line for each step; null when there is only one rate. */
export function overLoadPlot(metric: Metric, { steps }: Results): Plot | null {
  const rows = steps.filter(({ ratePerSecond }) => ratePerSecond !== undefined)
  const rates = new Set(rows.map(({ ratePerSecond }) => ratePerSecond))
  const names = [...new Set(rows.map(seriesOf))]
  if (rates.size < 2) return null
  const { unit, noun } = metrics[metric]
  const at = (row: RowResult, y: number): Point => ({
    series: seriesOf(row),
    x: row.ratePerSecond as number,
    y,
  })
  const valuesOf = (row: RowResult) => validSamples(row).map(metrics[metric].of).filter(Number.isFinite)
  const spread = rows.flatMap(row => valuesOf(row).map(value => at(row, value)))
  const points = rows.flatMap(row => {
    const middle = median(valuesOf(row))
    return middle === null ? [] : [at(row, middle)]
  })
  if (points.length === 0) return null
  return curvesPlot({
    id: `${metric}-over-load`,
    title: `${headingOf(metric)}, over the load`,
    howToRead: HOW_TO_READ,
    series: [...new Set([names.at(-1) as string, ...names])],
    points,
    spread,
    x: { label: 'requests a second', format: String },
    y: { label: unit || noun, digits: 2 },
  })
}

const seriesOf = (row: RowResult) => nameOf({ ...row, name: withoutLoad(row.name) })
