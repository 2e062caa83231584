import { record } from '../lib/record.ts'
import type { Environment } from './environment.ts'
import type { Settings } from './options.ts'
import type { Row } from './rows.ts'
import type { Sample } from './sample.ts'
import { describeMedian, type Interval, type Median } from './statistics/median.ts'
import { labelOutliers, type Outlier } from './statistics/outliers.ts'
import { pairedRatio, type Ratio } from './statistics/ratio.ts'

export interface Results {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: Settings
  readonly steps: readonly RowResult[]
}

/** What is compared, and which way is better. The first is what the project is about, and decides when a run may stop. */
export const metrics = {
  mainThreadMicros: { better: 'lower', of: (sample: Sample) => sample.mainThreadMicros },
  goodput: { better: 'higher', of: (sample: Sample) => sample.goodput },
  totalMicros: { better: 'lower', of: (sample: Sample) => sample.totalMicros },
  p99Ms: { better: 'lower', of: (sample: Sample) => sample.latencyMs.p99 },
} as const

export type Metric = keyof typeof metrics
export const metricNames = Object.keys(metrics) as Metric[]

export interface RowResult extends Row, Readonly<Record<Metric, Median>> {
  readonly samples: readonly LabelledSample[]
  /** Good responses a second that the main thread alone would allow: a model, see docs/architecture.md. */
  readonly ceiling: Median
  /** Against the row above; null for the first. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
}

export interface LabelledSample extends Sample {
  /** By main-thread cost among the row's valid samples. It counts all the same. */
  readonly outlier: Outlier | null
}

/** This row's value over the other's. */
export type Comparison = Readonly<Record<Metric, Ratio>>

/** What the samples so far say of each row. Only valid samples count; none is left out of the list. */
export function summarize(rows: readonly Row[], samples: ReadonlyMap<Row, readonly Sample[]>): RowResult[] {
  const of = (row: Row | undefined) => (row && samples.get(row)) ?? []
  return rows.map((row, index) => ({
    ...row,
    samples: label(of(row)),
    ...describe(of(row).filter(({ valid }) => valid)),
    versusPrevious: index === 0 ? null : compare(of(row), of(rows[index - 1])),
    versusFirst: index === 0 ? null : compare(of(row), of(rows[0])),
  }))
}

function label(samples: readonly Sample[]): LabelledSample[] {
  const valid = samples.filter(sample => sample.valid)
  const labels = labelOutliers(valid.map(metrics.mainThreadMicros.of))
  return samples.map(sample => ({ ...sample, outlier: labels[valid.indexOf(sample)] ?? null }))
}

const describe = (valid: readonly Sample[]) => ({
  ...forEachMetric(metric => describeMedian(valid.map(metrics[metric].of))),
  ceiling: describeMedian(valid.map(({ mainThreadMicros }) => 1_000_000 / mainThreadMicros)),
})

function compare(own: readonly Sample[], others: readonly Sample[]): Comparison {
  const pairs = pairSamples(own, others)
  return forEachMetric(metric => {
    const { of, better } = metrics[metric]
    return pairedRatio(
      pairs.map(([sample, other]): Interval => [of(sample), of(other)]),
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
