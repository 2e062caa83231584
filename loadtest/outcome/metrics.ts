import { record } from '../../lib/record.ts'
import type { Sample } from '../sample/sample.ts'

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

export const forEachMetric = <T>(value: (metric: Metric) => T) => record(metricNames, value)
