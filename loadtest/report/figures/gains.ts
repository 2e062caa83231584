import { axisX, dot, gridX, rect, ruleX, ruleY, text } from '@observablehq/plot'
import { formatRatio } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { EQUIVALENCE } from '../../statistics/thresholds.ts'
import { layoutRows } from '../bars.ts'
import { type Figure, renderTable } from '../figure.ts'
import { verdictColors, verdictSymbols } from '../palette.ts'
import { draw, type Frame } from '../plot.ts'
import { nameOf } from '../rows.ts'

export interface Gain {
  readonly name: string
  readonly label: string
  readonly given: Ratio
  /** What the spectrum of the row above allowed at best. */
  readonly atBest: number | null
}

const HOW_TO_READ = `1 is no difference; left of it is less. The dot is the ratio, paired within blocks so that the drift of the machine cancels out; the line is its 95 % interval. ✓ better and ✗ worse, mostly faster and slower: the interval leaves out 1. = equivalent: all of it lies in the grey band of ±${EQUIVALENCE * 100} %. ? inconclusive is no finding, least of all that there is no difference.`
const AT_BEST =
  ' The hollow diamond is what the spectrum of the row above allowed at best: as if the concern that moved had cost the main thread nothing any more. What lies between the two is the price of the move, or work that stayed; the garbage that a concern makes is not in its share, so that a move may also bring more.'

/** What each row is of another: of the one above, or of the first. */
export function gainsFigure(
  { steps }: Results,
  versus: 'versusPrevious' | 'versusFirst',
  metric: Metric,
  title: string,
): Figure | null {
  const gains = steps.flatMap((row): Gain[] => {
    const given = row[versus]?.[metric]
    if (!given) return []
    const atBest =
      versus === 'versusPrevious' && metric === 'mainThreadMicros'
        ? (row.prediction?.ratioAtBest ?? null)
        : null
    return [{ name: nameOf(row), label: describe(given), given, atBest }]
  })
  return gains.length === 0 ? null : figureOf(`gains-${metric}`, title, gains)
}

/** Several ratios below one another. */
export function figureOf(id: string, title: string, gains: readonly Gain[]): Figure {
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
      { title: 'verdict', cell: ({ given: { verdict } }) => `${verdictSymbols[verdict]} ${verdict}` },
      ...(predicts ? [{ title: 'at best', cell: ({ atBest }: Gain) => atBest?.toFixed(3) ?? '-' }] : []),
    ]),
  }
}

const describe = ({ ratio, verdict }: Ratio) =>
  ratio === null ? 'no block has both' : `${ratio.toFixed(2)}× ${verdictSymbols[verdict]} ${verdict}`

function drawGains(frame: Frame, gains: readonly Gain[]): string {
  const { options, headings, labelPx, dy } = layoutRows(frame, gains)
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
    x: { type: 'log', domain },
    marks: [
      rect([1], { x1: 1 - EQUIVALENCE, x2: 1 + EQUIVALENCE, fill: 'var(--line)' }),
      gridX(ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      ruleX([1], { stroke: 'var(--text)', strokeWidth: 2 }),
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

/** The first says what all are, on the side where the measured ratio is not. */
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

/** From here on, the larger over the smaller end, fine ticks would lie on one another. */
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
