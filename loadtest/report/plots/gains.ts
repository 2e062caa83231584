import { formatRatio } from '../../outcome/format.ts'
import { headingOf, type Metric, sayVerdict } from '../../outcome/metrics.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { EQUIVALENCE } from '../../statistics/thresholds.ts'
import { renderTable } from '../html.ts'
import { type Line, type Mark, renderLines, scaleOfRatios } from '../lines.ts'
import { verdictColors } from '../palette.ts'
import { nameOf, type RowsPlot } from '../plot.ts'

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

/** Plots the ratio of each row to the row that the run compares it with: the row above, or the first row. */
export const ratios =
  (metric: Metric): RowsPlot =>
  ({ steps, settings: { baseline } }) => {
    const versus = baseline === 'first' ? 'versusFirst' : 'versusPrevious'
    const predictsHere = versus === 'versusPrevious' && metric === 'mainThreadMicros'
    const gains = steps.flatMap((row): Gain[] => {
      const given = row[versus]?.[metric]
      if (!given) return []
      const predicted = predictsHere ? (row.prediction?.ratioAtBest ?? null) : null
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
    const values = gains.flatMap(({ given: { ratio, ci95 }, predicted }) => [
      ...(ci95 ?? []),
      ratio ?? 1,
      predicted ?? 1,
    ])
    return {
      id: `gains-${metric}`,
      title,
      summary: `${gains.map(({ name, label, predicted }) => `${name}: ${label}${predicted === null ? '' : `, predicted ${predicted.toFixed(2)}`}`).join('; ')}.`,
      howToRead: predicts ? `${HOW_TO_READ}${PREDICTED}` : HOW_TO_READ,
      image: renderLines(gains.map(lineOf), scaleOfRatios(values)),
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

function lineOf({ name, label, given: { ratio, ci95, verdict }, predicted }: Gain): Line {
  const color = verdictColors[verdict]
  const marks: readonly (Mark | false)[] = [
    { kind: 'band', at: [1 - EQUIVALENCE, 1 + EQUIVALENCE] },
    ci95 !== null && { kind: 'interval', at: ci95, color },
    ratio !== null && { kind: 'dot', at: ratio, color },
    predicted !== null && { kind: 'diamond', at: predicted },
  ]
  return { name, label, labelColor: color, marks: marks.filter(mark => mark !== false) }
}
