import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { findNext, predict } from '../spectrum/prediction.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import { describeMedian, type Interval } from '../statistics/median.ts'
import { labelOutliers } from '../statistics/outliers.ts'
import { pairedRatio } from '../statistics/ratio.ts'
import { forEachMetric, metrics } from './metrics.ts'
import type { Comparison, LabelledSample, RowResult } from './results.ts'
import type { Settings } from './settings.ts'

export const versusBaseline = ({ versusPrevious, versusFirst }: RowResult, baseline: Settings['baseline']) =>
  baseline === 'previous' ? versusPrevious : versusFirst

/** Summarizes the samples that each row has so far. Only valid samples count, but all are listed. */
export function summarizeRows(
  rows: readonly Row[],
  samples: ReadonlyMap<Row, readonly Sample[]>,
  spectra: ReadonlyMap<Row, Spectrum> = new Map(),
): RowResult[] {
  const of = (row: Row | undefined) => (row && samples.get(row)) ?? []
  const spectrumOf = (row: Row | undefined) => (row && spectra.get(row)) ?? null
  const hasNone = (row: Row) => row === firstOf(row, rows) || row.didNotRun !== undefined
  return rows.map((row, index) => ({
    ...row,
    samples: label(of(row)),
    ...describe(
      row,
      of(row).filter(({ valid }) => valid),
    ),
    versusPrevious: hasNone(row) ? null : compare(of(row), of(rows[index - 1])),
    versusFirst: hasNone(row) ? null : compare(of(row), of(firstOf(row, rows))),
    spectrum: spectrumOf(row),
    prediction: predict(rows[index - 1], row, spectrumOf(rows[index - 1])),
    next: findNext(row, spectrumOf(row)),
  }))
}

/** The row that a row is compared with. */
const firstOf = ({ baseline }: Row, rows: readonly Row[]): Row | undefined =>
  baseline === undefined ? rows[0] : rows.find(({ name }) => name === baseline)

function label(samples: readonly Sample[]): LabelledSample[] {
  const valid = samples.filter(sample => sample.valid)
  const labels = labelOutliers(valid.map(metrics.mainThreadMicros.of))
  return samples.map(sample => ({ ...sample, outlier: labels[valid.indexOf(sample)] ?? null }))
}

const describe = (row: Row, valid: readonly Sample[]) => ({
  ...forEachMetric(metric => describeMedian(valid.map(metrics[metric].of).filter(Number.isFinite))),
  ceiling: describeMedian(valid.map(sample => ceilingOf(row, sample))),
})

/** The ceiling by one sample, in responses a second. Every instance has a main thread of its own. */
export const ceilingOf = ({ app }: Pick<Row, 'app'>, { mainThreadMicros }: Sample): number =>
  ((app?.instances ?? 1) * 1_000_000) / mainThreadMicros

function compare(own: readonly Sample[], others: readonly Sample[]): Comparison {
  const pairs = pairSamples(own, others)
  return forEachMetric(metric => {
    const { of, better } = metrics[metric]
    const values = pairs.map(([sample, other]): Interval => [of(sample), of(other)])
    return pairedRatio(
      values.filter(([own, other]) => Number.isFinite(own / other)),
      better,
    )
  })
}

/** Pairs the valid samples that two rows have taken in the same block. */
export function pairSamples(
  own: readonly Sample[],
  others: readonly Sample[],
): (readonly [Sample, Sample])[] {
  return own.flatMap(sample => {
    const other = others.find(({ round, valid }) => valid && round === sample.round)
    return sample.valid && other ? [[sample, other] as const] : []
  })
}
