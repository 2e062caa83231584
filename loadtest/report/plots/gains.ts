import { axisX, barX, dot, ruleY, text } from '@observablehq/plot'
import { formatRatio } from '../../outcome/format.ts'
import { headingOf, type Metric, sayVerdict } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { EQUIVALENCE } from '../../statistics/thresholds.ts'
import { labelColumn, layoutRows } from '../bars.ts'
import { verdictColors } from '../palette.ts'
import { draw, nameOf, type Plot, TEXT_PX, WIDTH_PX, widthOf } from '../plot.ts'
import { renderTable } from '../table.ts'

interface Gain {
  readonly name: string
  readonly label: string
  readonly verdict: string
  readonly given: Ratio
  /** The ratio that the spectrum of the row above predicts for a move after which the concern costs nothing. */
  readonly predicted: number | null
}

const HOW_TO_READ = `The value 1 means no difference; values left of it mean less. The dot is the ratio, paired within blocks so that the drift of the machine cancels out; the line is its 95 % interval. “Less” and “more”: the interval does not contain 1; green is better, red is worse. “The same” is proved: the whole interval lies in the grey band of ±${EQUIVALENCE * 100} %. “Cannot tell” is no finding: a longer run could tell.`
const PREDICTED =
  ' The hollow diamond is the ratio that the spectrum of the row above predicts, for a move after which the concern costs the main thread nothing. The distance between dot and diamond is the price of the move, or work that stayed. The garbage that a concern makes is not in its share, so a move may also save more.'

/** Plots the ratio of each row to another: to the row above, or to the first row. */
export function gainsPlot(
  results: Results,
  versus: 'versusPrevious' | 'versusFirst',
  metric: Metric,
): Plot | null {
  const gains = results.steps.flatMap((row): Gain[] => {
    const given = row[versus]?.[metric]
    if (!given) return []
    const predicted =
      versus === 'versusPrevious' && metric === 'mainThreadMicros'
        ? (row.prediction?.ratioAtBest ?? null)
        : null
    const verdict = sayVerdict(metric, given.verdict)
    const label =
      given.ratio === null
        ? 'no block has a valid sample of both rows'
        : `${given.ratio.toFixed(2)}×, ${verdict}`
    return [{ name: nameOf(row), label, verdict, given, predicted }]
  })
  if (gains.length === 0) return null
  const predicts = gains.some(({ predicted }) => predicted !== null)
  const title = `${headingOf(metric)}, against the ${versus === 'versusFirst' ? 'first row' : 'row above'}`
  return {
    id: `gains-${metric}`,
    title,
    summary: `${gains.map(({ name, label, predicted }) => `${name}: ${label}${predicted === null ? '' : `, predicted ${predicted.toFixed(2)}`}`).join('; ')}.`,
    howToRead: predicts ? `${HOW_TO_READ}${PREDICTED}` : HOW_TO_READ,
    draw: () => drawGains(gains),
    data: renderTable(title, gains, [
      { title: 'row', cell: ({ name }) => name },
      { title: 'ratio', cell: ({ given }) => formatRatio(given, 3) },
      { title: 'verdict', cell: ({ verdict }) => verdict },
      ...(predicts
        ? [{ title: 'predicted', cell: ({ predicted }: Gain) => predicted?.toFixed(3) ?? '-' }]
        : []),
    ]),
  }
}

function drawGains(gains: readonly Gain[]): string {
  const rows = gains.map((gain, row) => ({
    ...gain,
    ...gain.given,
    row,
    color: verdictColors[gain.given.verdict],
  }))
  const { options, columnPx, linesAt } = layoutRows(rows)
  const intervals = rows.flatMap(({ ci95, row, color }) =>
    ci95 ? [{ low: ci95[0], high: ci95[1], row, color }] : [],
  )
  const domain = domainOf(rows.flatMap(({ ci95, ratio, predicted }) => [...(ci95 ?? []), ratio, predicted]))
  const scalePx = WIDTH_PX - options.marginLeft - columnPx - 2 * TEXT_PX
  const ticks = ticksIn(domain, scalePx)
  return draw({
    ...options,
    marginRight: columnPx,
    // A tick may stand at the end of the scale; half of its text needs room beside it.
    insetLeft: TEXT_PX,
    insetRight: TEXT_PX,
    x: { type: 'log', domain },
    marks: [
      barX(rows, {
        y: 'row',
        x1: () => 1 - EQUIVALENCE,
        x2: () => 1 + EQUIVALENCE,
        fill: 'var(--line)',
      }),
      linesAt(ticks, { stroke: 'var(--line)' }),
      linesAt([1], { stroke: 'var(--text)', strokeWidth: 2 }),
      axisX(ticks, {
        label: null,
        tickSize: 0,
        // A `tickFormat` would leave out labels: on a logarithmic scale, Plot keeps few of them between powers of ten.
        text: (tick: number) => `${tick}×`,
        color: 'var(--quiet)',
      }),
      ruleY(intervals, {
        y: 'row',
        x1: 'low',
        x2: 'high',
        stroke: 'color',
        strokeWidth: TEXT_PX / 4,
      }),
      dot(
        rows.filter(({ ratio }) => ratio !== null),
        { y: 'row', x: 'ratio', r: TEXT_PX / 2.4, fill: 'color' },
      ),
      dot(
        rows.filter(({ predicted }) => predicted),
        {
          y: 'row',
          x: 'predicted',
          symbol: 'diamond',
          r: TEXT_PX / 1.9,
          stroke: 'var(--text)',
          strokeWidth: 2,
        },
      ),
      ...rows
        .filter(({ predicted }) => predicted)
        .slice(0, 1)
        .map(row => nameDiamond(row)),
      labelColumn(rows, 'color'),
    ],
  })
}

/** Labels the first diamond, for all of them, on the side away from the measured ratio. */
function nameDiamond(gain: Pick<Gain, 'predicted' | 'given'> & { row: number }) {
  const isLeft = (gain.given.ratio ?? 0) > (gain.predicted ?? 0)
  return text([gain], {
    y: 'row',
    x: 'predicted',
    text: () => 'predicted',
    textAnchor: isLeft ? 'end' : 'start',
    dx: isLeft ? -TEXT_PX : TEXT_PX,
    fill: 'var(--text)',
    stroke: 'var(--ground)',
    strokeWidth: TEXT_PX / 3,
  })
}

/** From this ratio of the larger end to the smaller end on, fine ticks would overlap. */
const WIDE = 4
const coarseTicks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50]
const fineTicks = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2]

/** The ticks of a logarithmic scale whose labels have room beside each other; those near 1 have it first. */
function ticksIn([low, high]: readonly [number, number], scalePx: number): number[] {
  const place = (tick: number) => (Math.log(tick / low) / Math.log(high / low)) * scalePx
  const room = (tick: number) => (widthOf(`${tick}×`) + TEXT_PX / 2) / 2
  const taken: number[] = []
  const isFree = (tick: number) =>
    taken.every(other => Math.abs(place(tick) - place(other)) >= room(tick) + room(other))
  const ticks = (high / low > WIDE ? coarseTicks : fineTicks).filter(tick => tick >= low && tick <= high)
  for (const tick of ticks.toSorted((one, other) => Math.abs(Math.log(one)) - Math.abs(Math.log(other))))
    if (isFree(tick)) taken.push(tick)
  return taken
}

function domainOf(values: readonly (number | null)[]): [number, number] {
  const known = [
    0.9,
    1.1,
    ...values.filter(value => value !== null && value > 0 && Number.isFinite(value)),
  ] as number[]
  return [Math.max(0.005, Math.min(...known) * 0.9), Math.min(100, Math.max(...known) * 1.1)]
}
