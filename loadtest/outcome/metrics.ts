import { record } from '../../lib/record.ts'
import type { Sample } from '../sample/sample.ts'
import type { Verdict } from '../statistics/verdict.ts'

/**
 * The metrics that rows are compared by, and which direction is better. `of` returns NaN if the sample did not record
 * the metric. Main-thread cost decides when a run may stop, unless the settings name another metric.
 */
export const metrics = {
  mainThreadMicros: { better: 'lower', of: (sample: Sample) => sample.mainThreadMicros },
  wakeups: { better: 'lower', of: (sample: Sample) => sample.wakeups ?? Number.NaN },
  allocatedBytes: { better: 'lower', of: (sample: Sample) => sample.allocatedBytes ?? Number.NaN },
  collections: { better: 'lower', of: (sample: Sample) => sample.collectionsPerResponse ?? Number.NaN },
  goodput: { better: 'higher', of: (sample: Sample) => sample.goodput },
  totalMicros: { better: 'lower', of: (sample: Sample) => sample.totalMicros },
  p50Ms: { better: 'lower', of: (sample: Sample) => sample.latencyMs.p50 },
  p99Ms: { better: 'lower', of: (sample: Sample) => sample.latencyMs.p99 },
  besideP99Ms: { better: 'lower', of: (sample: Sample) => sample.besideLatencyMs?.p99 ?? Number.NaN },
  memoryMiB: { better: 'lower', of: (sample: Sample) => sample.memoryMiB ?? Number.NaN },
} as const

export type Metric = keyof typeof metrics
export const metricNames = Object.keys(metrics) as Metric[]

/**
 * The word that people read for a verdict: whether the value is less or more. Files of results say `faster` for every
 * value that is better, and `slower` for every value that is worse.
 */
export function wordOf(metric: Metric, verdict: Verdict): string {
  if (verdict === 'equivalent' || verdict === 'inconclusive') return verdict
  return (verdict === 'faster') === (metrics[metric].better === 'lower') ? 'less' : 'more'
}

export const forEachMetric = <T>(value: (metric: Metric) => T) => record(metricNames, value)
