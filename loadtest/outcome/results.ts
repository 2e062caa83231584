import { record } from '../../lib/record.ts'
import type { Settings } from '../options.ts'
import type { Calibration } from '../run/calibration.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { findNext, type Next, type Prediction, predict } from '../spectrum/prediction.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import { describeMedian, type Interval, type Median } from '../statistics/median.ts'
import { labelOutliers, type Outlier } from '../statistics/outliers.ts'
import { pairedRatio, type Ratio } from '../statistics/ratio.ts'
import type { Environment } from './environment.ts'

export interface Results {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: Settings
  readonly steps: readonly RowResult[]
  /** Whether it has not reached its end; absent of runs that did not tell yet. */
  readonly partial?: boolean
  /** How the size of the pools was chosen, where it was. */
  readonly calibration?: Calibration
}

/**
 * What is compared, and which way is better; NaN of a sample that does not know. The first is what the project is
 * about, and decides when a run may stop where nothing else is said to.
 */
export const metrics = {
  mainThreadMicros: { better: 'lower', of: (sample: Sample) => sample.mainThreadMicros },
  goodput: { better: 'higher', of: (sample: Sample) => sample.goodput },
  totalMicros: { better: 'lower', of: (sample: Sample) => sample.totalMicros },
  p99Ms: { better: 'lower', of: (sample: Sample) => sample.latencyMs.p99 },
  besideP99Ms: { better: 'lower', of: (sample: Sample) => sample.besideLatencyMs?.p99 ?? Number.NaN },
  memoryMiB: { better: 'lower', of: (sample: Sample) => sample.memoryMiB ?? Number.NaN },
} as const

export type Metric = keyof typeof metrics
export const metricNames = Object.keys(metrics) as Metric[]

export interface RowResult extends Row, Readonly<Record<Metric, Median>> {
  readonly samples: readonly LabelledSample[]
  /** Good responses a second that the main threads alone would allow, had all others cores of their own: a model. */
  readonly ceiling: Median
  /** Against the row above; null for the first. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
  /** What its main thread is busy with; null where nobody looked. */
  readonly spectrum: Spectrum | null
  /** What the spectrum of the row above lets this one gain at most; null where it moves nothing, or nobody looked. */
  readonly prediction: Prediction | null
  /** What it would pay most to move from here; null where nobody looked. */
  readonly next: Next | null
}

export const versusBaseline = ({ versusPrevious, versusFirst }: RowResult, baseline: Settings['baseline']) =>
  baseline === 'previous' ? versusPrevious : versusFirst

export interface LabelledSample extends Sample {
  /** By main-thread cost among the row's valid samples. It counts all the same. */
  readonly outlier: Outlier | null
}

/** This row's value over the other's. */
export type Comparison = Readonly<Record<Metric, Ratio>>

/** What is known so far of each row. Only valid samples count; none is left out of the list. */
export function summarize(
  rows: readonly Row[],
  samples: ReadonlyMap<Row, readonly Sample[]>,
  spectra: ReadonlyMap<Row, Spectrum> = new Map(),
): RowResult[] {
  const of = (row: Row | undefined) => (row && samples.get(row)) ?? []
  const spectrumOf = (row: Row | undefined) => (row && spectra.get(row)) ?? null
  return rows.map((row, index) => ({
    ...row,
    samples: label(of(row)),
    ...describe(
      row,
      of(row).filter(({ valid }) => valid),
    ),
    versusPrevious: index === 0 ? null : compare(of(row), of(rows[index - 1])),
    versusFirst: index === 0 ? null : compare(of(row), of(rows[0])),
    spectrum: spectrumOf(row),
    prediction: predict(rows[index - 1], row, spectrumOf(rows[index - 1])),
    next: findNext(row, spectrumOf(row)),
  }))
}

function label(samples: readonly Sample[]): LabelledSample[] {
  const valid = samples.filter(sample => sample.valid)
  const labels = labelOutliers(valid.map(metrics.mainThreadMicros.of))
  return samples.map(sample => ({ ...sample, outlier: labels[valid.indexOf(sample)] ?? null }))
}

const describe = (row: Row, valid: readonly Sample[]) => ({
  ...forEachMetric(metric => describeMedian(valid.map(metrics[metric].of).filter(Number.isFinite))),
  ceiling: describeMedian(valid.map(sample => ceilingOf(row, sample))),
})

/** Every instance has a main thread. */
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

/** The valid samples of two rows that were taken in the same block. */
export function pairSamples(
  own: readonly Sample[],
  others: readonly Sample[],
): (readonly [Sample, Sample])[] {
  return own.flatMap(sample => {
    const other = others.find(({ round, valid }) => valid && round === sample.round)
    return sample.valid && other ? [[sample, other] as const] : []
  })
}

export const forEachMetric = <T>(value: (metric: Metric) => T) => record(metricNames, value)
