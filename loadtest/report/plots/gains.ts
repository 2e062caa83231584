import { axisX, barX, dot, ruleY, text } from '@observablehq/plot'
import { formatRatio } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { EQUIVALENCE } from '../../statistics/thresholds.ts'
import { layoutRows } from '../bars.ts'
import { sayVerdict, verdictColors } from '../palette.ts'
import { draw, type Frame } from '../plot.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf } from '../rows.ts'

export interface Gain {
  readonly name: string
  readonly label: string
  readonly verdict: string
  readonly given: Ratio
  /** The best ratio that the spectrum of the row above allowed. */
  readonly atBest: number | null
}

const HOW_TO_READ = `The value 1 means no difference; values left of it mean less. The dot is the ratio, paired within blocks so that the drift of the machine cancels out; the line is its 95 % interval. ✓ better and ✗ worse: the interval does not contain 1; the word beside says whether the value is less or more. = equivalent: the whole interval lies in the grey band of ±${EQUIVALENCE * 100} %. ? inconclusive is no finding; in particular it does not mean that there is no difference.`
const AT_BEST =
  ' The hollow diamond is the best ratio that the spectrum of the row above allowed: that of a move after which the concern costs the main thread nothing. The distance between dot and diamond is the price of the move, or work that stayed. The garbage that a concern makes is not in its share, so a move may also save more.'

/** Plots the ratio of each row to another: to the row above, or to the first row. */
export function gainsPlot(
  { steps }: Results,
  versus: 'versusPrevious' | 'versusFirst',
  metric: Metric,
  title: string,
): Plot | null {
  const gains = steps.flatMap((row): Gain[] => {
    const given = row[versus]?.[metric]
    if (!given) return []
    const atBest =
      versus === 'versusPrevious' && metric === 'mainThreadMicros'
        ? (row.prediction?.ratioAtBest ?? null)
        : null
    return [gainOf(nameOf(row), metric, given, atBest)]
  })
  return gains.length === 0 ? null : plotOf(`gains-${metric}`, title, gains)
}

export function gainOf(name: string, metric: Metric, given: Ratio, atBest: number | null = null): Gain {
  const verdict = sayVerdict(metric, given.verdict)
  const label =
    given.ratio === null
      ? 'no block has a valid sample of both rows'
      : `${given.ratio.toFixed(2)}× ${verdict}`
  return { name, label, verdict, given, atBest }
}

/** Plots several ratios, one below the other. */
export function plotOf(id: string, title: string, gains: readonly Gain[]): Plot {
  const predicts = gains.some(({ atBest }) => atBest !== null)
  return {
    id,
    title,
    summary: `${gains.map(({ name, label, atBest }) => `${name}: ${label}${atBest === null ? '' : `, at best ${atBest.toFixed(2)}`}`).join('; ')}.`,
    howToRead: predicts ? `${HOW_TO_READ}${AT_BEST}` : HOW_TO_READ,
    draw: frame => drawGains(frame, gains),
    data: renderTable(title, gains, [
      { title: 'row', cell: ({ name }) => name },
      { title: 'ratio', cell: ({ given }) => formatRatio(given, 3) },
      { title: 'verdict', cell: ({ verdict }) => verdict },
      ...(predicts ? [{ title: 'at best', cell: ({ atBest }: Gain) => atBest?.toFixed(3) ?? '-' }] : []),
    ]),
  }
}

function drawGains(frame: Frame, gains: readonly Gain[]): string {
  const { options, headings, headingPx, labelPx, dy, linesAt } = layoutRows(frame, gains)
  const rows = gains.map((gain, row) => ({
    ...gain,
    ...gain.given,
    row,
    color: verdictColors[gain.given.verdict],
  }))
  const intervals = rows.flatMap(({ ci95, row, color }) =>
    ci95 ? [{ low: ci95[0], high: ci95[1], row, color }] : [],
  )
  const domain = domainOf(rows.flatMap(({ ci95, ratio, atBest }) => [...(ci95 ?? []), ratio, atBest]))
  const ticks = (domain[1] / domain[0] > WIDE ? coarseTicks : fineTicks).filter(
    tick => tick >= domain[0] && tick <= domain[1],
  )
  return draw(frame, {
    ...options,
    marginRight: frame.isNarrow ? options.marginRight : labelPx + frame.textPx,
    // A tick may stand at the end of the scale; half of its text needs room beside it.
    insetLeft: frame.textPx,
    insetRight: frame.textPx,
    x: { type: 'log', domain },
    marks: [
      barX(rows, {
        y: 'row',
        x1: () => 1 - EQUIVALENCE,
        x2: () => 1 + EQUIVALENCE,
        insetTop: headingPx,
        fill: 'var(--line)',
      }),
      linesAt(ticks, { stroke: 'var(--line)' }),
      linesAt([1], { stroke: 'var(--text)', strokeWidth: 2 }),
      axisX(ticks, {
        label: null,
        tickSize: 0,
        tickFormat: (tick: number) => `${tick}×`,
        color: 'var(--quiet)',
      }),
      ruleY(intervals, {
        y: 'row',
        x1: 'low',
        x2: 'high',
        stroke: 'color',
        strokeWidth: frame.textPx / 4,
        dy,
      }),
      dot(
        rows.filter(({ ratio }) => ratio !== null),
        { y: 'row', x: 'ratio', r: frame.textPx / 2.4, fill: 'color', dy },
      ),
      dot(
        rows.filter(({ atBest }) => atBest),
        {
          y: 'row',
          x: 'atBest',
          symbol: 'diamond',
          r: frame.textPx / 1.9,
          stroke: 'var(--text)',
          strokeWidth: 2,
          dy,
        },
      ),
      ...rows
        .filter(({ atBest }) => atBest)
        .slice(0, 1)
        .map(row => nameDiamond(frame, row, dy)),
      ...(frame.isNarrow
        ? headings
        : [
            text(rows, {
              y: 'row',
              text: 'label',
              frameAnchor: 'right',
              textAnchor: 'start',
              dx: frame.textPx,
              fill: 'color',
              fontWeight: 600,
            }),
          ]),
    ],
  })
}

/** Labels the first diamond, for all of them, on the side away from the measured ratio. */
function nameDiamond({ textPx }: Frame, gain: Pick<Gain, 'atBest' | 'given'> & { row: number }, dy: number) {
  const isLeft = (gain.given.ratio ?? 0) > (gain.atBest ?? 0)
  return text([gain], {
    y: 'row',
    x: 'atBest',
    text: () => 'at best',
    textAnchor: isLeft ? 'end' : 'start',
    dx: isLeft ? -textPx : textPx,
    dy,
    fill: 'var(--text)',
    stroke: 'var(--ground)',
    strokeWidth: textPx / 3,
  })
}

/** From this ratio of the larger end to the smaller end on, fine ticks would overlap. */
const WIDE = 4
const coarseTicks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50]
const fineTicks = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2]

function domainOf(values: readonly (number | null)[]): [number, number] {
  const known = [
    0.9,
    1.1,
    ...values.filter(value => value !== null && value > 0 && Number.isFinite(value)),
  ] as number[]
  return [Math.max(0.005, Math.min(...known) * 0.9), Math.min(100, Math.max(...known) * 1.1)]
}
