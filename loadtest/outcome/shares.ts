import { type Metric, metrics } from './metrics.ts'
import type { RowResult } from './results.ts'
import { pairSamples } from './summarize.ts'

/** The values of a row over those of the first row in the same blocks: changes of the machine cancel out. */
export const sharesOf = (row: RowResult, first: RowResult, metric: Metric): number[] =>
  pairSamples(row.samples, first.samples)
    .map(([own, other]) => metrics[metric].of(own) / metrics[metric].of(other))
    .filter(Number.isFinite)
