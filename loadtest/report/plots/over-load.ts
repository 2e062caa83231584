import { headingOf, type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/rows-at-loads.ts'
import { median } from '../../statistics/median.ts'
import { drawCurves, type Point } from '../curves.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf, validSamples } from '../rows.ts'

const HOW_TO_READ =
  'Requests were sent on a schedule, without waiting for earlier answers, at the same rates to every step; latency counts from the scheduled time. Each line is a step: the median of its samples, which are the small dots; both scales are logarithmic. Where latency rises steeply the service begins to fall behind.'

/** Plots one metric over the load, a line for each step; null when there is only one rate. */
export function overLoadPlot(metric: Metric, { steps }: Results): Plot | null {
  const rows = steps.filter(({ ratePerSecond }) => ratePerSecond !== undefined)
  const rates = new Set(rows.map(({ ratePerSecond }) => ratePerSecond))
  const names = [...new Set(rows.map(seriesOf))]
  if (rates.size < 2) return null
  const { unit, noun } = metrics[metric]
  const title = `${headingOf(metric)}, over the load`
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
  const ends = [...new Set([names[0] as string, names.at(-1) as string])]
  return {
    id: `${metric}-over-load`,
    title,
    summary: describeEnds(points, ends, unit),
    howToRead: HOW_TO_READ,
    draw: frame =>
      drawCurves(frame, {
        series: [...ends.toReversed(), ...names.slice(1, -1)],
        points,
        spread,
        x: { label: 'requests a second', format: String },
        y: { label: unit || noun },
      }),
    data: renderTable(title, points, [
      { title: 'step', cell: ({ series }) => series },
      { title: 'requests/s', cell: ({ x }) => String(x) },
      { title: unit || noun, cell: ({ y }) => y.toFixed(2) },
    ]),
  }
}

const seriesOf = (row: RowResult) => nameOf({ ...row, name: withoutLoad(row.name) })

/** Says for each rate what the first and the last step have. */
function describeEnds(points: readonly Point[], ends: readonly string[], unit: string): string {
  const rates = [...new Set(points.map(({ x }) => x))]
  const value = (series: string, rate: number) =>
    points.find(point => point.series === series && point.x === rate)?.y.toFixed(2) ?? '-'
  return `${rates
    .map(rate => `At ${rate}/s ${ends.map(name => `${name} ${value(name, rate)}`).join(', ')} ${unit}`.trim())
    .join('; ')}.`
}
