import { digitsOf, headingOf, type Metric, metrics, sayVerdict } from '../../outcome/metrics.ts'
import type { Median } from '../../statistics/median.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { EQUIVALENCE } from '../../statistics/thresholds.ts'
import { verdictColors } from '../palette.ts'
import {
  type Line,
  type Mark,
  nameOf,
  type RowsPlot,
  renderLines,
  scaleOfRatios,
  scaleTo,
  validSamples,
} from '../plot.ts'

const BARS =
  'The bar ends at the median, dots are single samples, the thick line is the interval that contains the true median 95 times of 100; with fewer than six samples there is none.'

/** The text below the plot of a metric, which says how to read it. */
const howToRead = {
  mainThreadMicros:
    'CPU microseconds that the main thread spends per good response: less is better. It is the main metric of this project, and the least noisy one.',
  goodput:
    "Only answers with the right status and the right body count. Other threads, the sidecars, the upstream and the load generator share the machine's cores, so it grows less than the main-thread cost falls.",
  p50Ms: 'Half of the good answers came sooner.',
  p99Ms:
    'Of 100 good answers, 99 came sooner. In a closed loop clients wait for each other, so this is not the latency under your load. The command open measures that: there, latency counts from the time when the request was due.',
  besideP99Ms:
    'The p99 of /hello, sent on a schedule while the load goes on; it counts from the time when the request was due.',
} as const satisfies Partial<Record<Metric, string>>

/** Plots a metric of every row, as bars with samples and intervals. */
export const bars =
  (metric: keyof typeof howToRead): RowsPlot =>
  ({ steps }) => {
    const { unit, of } = metrics[metric]
    const rows = steps.map(row => ({
      ...row[metric],
      name: nameOf(row),
      label: row[metric].median?.toFixed(digitsOf(metric)) ?? 'no valid sample',
      spread: validSamples(row).map(of),
    }))
    const all = rows.flatMap(({ median, ci95, spread }) => [median ?? 0, ...(ci95 ?? []), ...spread])
    return {
      id: metric,
      title: `${headingOf(metric)}, ${unit}`,
      howToRead: `${BARS} ${howToRead[metric]}`,
      summary: `${rows.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
      image: renderLines(rows.map(barOf), scaleTo(all, unit)),
    }
  }

interface Bar extends Median {
  readonly name: string
  readonly label: string
  readonly spread: readonly number[]
}

const barOf = ({ name, label, median, ci95, spread }: Bar): Line => ({
  name,
  label,
  marks: [
    { kind: 'bar', at: [0, median ?? 0] },
    ...(ci95 ? [{ kind: 'interval', at: ci95 } as const] : []),
    ...spread.filter(Number.isFinite).map((at): Mark => ({ kind: 'sample', at })),
  ],
})

const RATIOS = `The value 1 means no difference; values left of it mean less. The dot is the ratio, paired within blocks so that the drift of the machine cancels out; the line is its 95 % interval. “Less” and “more”: the interval does not contain 1; green is better, red is worse. “The same” is proved: the whole interval lies in the grey band of ±${EQUIVALENCE * 100} %. “Cannot tell” is no finding: a longer run could tell.`
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
      const label =
        given.ratio === null
          ? 'no block has a valid sample of both rows'
          : `${given.ratio.toFixed(2)}×, ${sayVerdict(metric, given.verdict)}`
      const predicted = predictsHere ? (row.prediction?.ratioAtBest ?? null) : null
      return [{ ...given, name: nameOf(row), label, predicted }]
    })
    if (gains.length === 0) return null
    const predicts = gains.some(({ predicted }) => predicted !== null)
    const values = gains.flatMap(({ ratio, ci95, predicted }) => [
      ...(ci95 ?? []),
      ratio ?? 1,
      predicted ?? 1,
    ])
    return {
      id: `gains-${metric}`,
      title: `${headingOf(metric)}, against the ${versus === 'versusFirst' ? 'first row' : 'row above'}`,
      summary: `${gains.map(({ name, label, predicted }) => `${name}: ${label}${predicted === null ? '' : `, predicted ${predicted.toFixed(2)}`}`).join('; ')}.`,
      howToRead: predicts ? `${RATIOS}${PREDICTED}` : RATIOS,
      image: renderLines(gains.map(gainOf), scaleOfRatios(values)),
    }
  }

interface Gain extends Ratio {
  readonly name: string
  readonly label: string
  /** By the spectrum of the row above, for a move after which the concern costs nothing. */
  readonly predicted: number | null
}

function gainOf({ name, label, ratio, ci95, verdict, predicted }: Gain): Line {
  const color = verdictColors[verdict]
  const marks: readonly (Mark | false)[] = [
    { kind: 'band', at: [1 - EQUIVALENCE, 1 + EQUIVALENCE] },
    ci95 !== null && { kind: 'interval', at: ci95, color },
    ratio !== null && { kind: 'dot', at: ratio, color },
    predicted !== null && { kind: 'diamond', at: predicted },
  ]
  return { name, label, labelColor: color, marks: marks.filter(mark => mark !== false) }
}
