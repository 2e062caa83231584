import { record } from '../../lib/record.ts'
import { type Verdict, wordOf } from '../../lib/verdict.ts'
import type { Sample } from '../sample/sample.ts'

interface Described {
  /** The metric in a sentence, and the unit of its values. */
  readonly noun: string
  readonly unit: string
  readonly better: 'lower' | 'higher'
  /** @returns NaN if the sample did not record the metric */
  readonly of: (sample: Sample) => number
}
const metric =
  (better: Described['better']) =>
  (noun: string, unit: string, of: Described['of']): Described => ({ noun, unit, better, of })
const [lower, higher] = [metric('lower'), metric('higher')]

/** The metrics that rows are compared by. Main-thread cost decides when a run may stop, unless the settings name another. */
export const metrics = {
  mainThreadMicros: lower('main-thread cost', 'µs', sample => sample.mainThreadMicros),
  wakeups: lower('number of main-thread wake-ups', '', sample => sample.wakeups ?? Number.NaN),
  allocatedBytes: lower(
    'number of bytes that the main thread allocates',
    'bytes',
    sample => sample.allocatedBytes ?? Number.NaN,
  ),
  goodput: higher('goodput', 'good responses a second', sample => sample.goodput),
  totalMicros: lower('total cost', 'µs', sample => sample.totalMicros),
  p50Ms: lower('p50', 'ms', sample => sample.latencyMs.p50),
  p99Ms: lower('p99', 'ms', sample => sample.latencyMs.p99),
  besideP99Ms: lower('p99 of the load beside', 'ms', sample => sample.besideLatencyMs?.p99 ?? Number.NaN),
  memoryMiB: lower('memory', 'MiB', sample => sample.memoryMiB ?? Number.NaN),
} as const

export function headingOf(metric: Metric): string {
  const { noun } = metrics[metric]
  return /^p\d/.test(noun) ? noun : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
}

/** Digits behind the point with which people read the metric. */
export const digitsOf = (metric: Metric): number => (metrics[metric].unit === 'ms' ? 1 : 0)

export type Metric = keyof typeof metrics
const metricNames = Object.keys(metrics) as Metric[]

/** The word that people read for the verdict on a metric. */
export const sayVerdict = (metric: Metric, verdict: Verdict) => wordOf(verdict, metrics[metric].better)

export const forEachMetric = <T>(value: (metric: Metric) => T) => record(metricNames, value)
