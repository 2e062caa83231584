import type { Results } from '../../outcome/results.ts'
import { median } from '../../statistics/median.ts'
import { drawCurves, type Point } from '../curves.ts'
import { type Figure, renderTable } from '../figure.ts'
import { nameOf, percentiles, validSamples } from '../rows.ts'

/** Plots latency against load, for one step at several rates. */
export function loadCurveFigure({ steps }: Results): Figure | null {
  const rated = steps.flatMap(row =>
    row.ratePerSecond === undefined || row.baseline !== undefined ? [] : [{ row, rate: row.ratePerSecond }],
  )
  if (new Set(rated.map(({ rate }) => rate)).size < 2) return null
  const spread = rated.flatMap(({ row, rate }) =>
    percentiles.flatMap(series =>
      validSamples(row).map(({ latencyMs }): Point => ({ series, x: rate, y: latencyMs[series] })),
    ),
  )
  const points = rated.flatMap(({ rate }) =>
    percentiles.flatMap((series): Point[] => {
      const y = median(
        spread.filter(point => point.x === rate && point.series === series).map(point => point.y),
      )
      return y === null ? [] : [{ series, x: rate, y }]
    }),
  )
  if (points.length === 0) return null
  const title = 'Latency against load'
  const at = (rate: number) => points.filter(({ x }) => x === rate)
  return {
    id: 'load-curve',
    title,
    summary: `${rated
      .map(
        ({ rate }) =>
          `At ${rate}/s ${at(rate)
            .map(({ series, y }) => `${series} ${y.toFixed(1)}`)
            .join(', ')} ms`,
      )
      .join('; ')}.`,
    howToRead:
      'Each line is a percentile, the median of its samples, which are the small dots; both scales are logarithmic. Requests were sent on a schedule, without waiting for earlier answers; latency counts from the scheduled time. Where the lines rise steeply the service begins to fall behind.',
    draw: frame =>
      drawCurves(frame, {
        series: percentiles,
        points,
        spread,
        x: { label: 'requests a second', format: String },
        y: { label: 'ms' },
      }),
    data: renderTable(title, rated, [
      { title: 'row', cell: ({ row }) => nameOf(row) },
      ...percentiles.map(percentile => ({
        title: `${percentile} ms`,
        cell: ({ rate }: { rate: number }) =>
          at(rate)
            .find(({ series }) => series === percentile)
            ?.y.toFixed(2) ?? '-',
      })),
    ]),
  }
}
