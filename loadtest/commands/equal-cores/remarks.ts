import { formatRatio } from '../../outcome/format.ts'
import { type Metric, wordOf } from '../../outcome/metrics.ts'
import type { Comparison, Results, RowResult } from '../../outcome/results.ts'
import { describePlace } from '../cores/remarks.ts'

/** The metrics that each row is compared with the first by. */
const told = {
  goodput: 'goodput',
  besideP99Ms: 'the p99 of /hello',
  totalMicros: 'total cost',
  memoryMiB: 'memory',
} as const satisfies Partial<Record<Metric, string>>

const toldMetrics = Object.keys(told) as (keyof typeof told)[]

/**
 * Says on which cores everything ran, and how each row compares with the first and with the one above it: a sentence each.
 */
export function describeCores({ settings, environment, steps }: Results): string[] {
  const [first, ...others] = steps
  return [
    first?.cores
      ? `${describePlace(first.cores)} The upstream and the load generators have real ones.`
      : describePlaces(settings.cores ?? null, environment.cores),
    ...(first ? others.map(row => describePair(row, first, row.versusFirst)) : []),
    ...others.slice(1).map((row, index) => describePair(row, others[index] as RowResult, row.versusPrevious)),
  ]
}

function describePlaces(cores: readonly number[] | null, all: number): string {
  if (cores === null)
    return `The app, its sidecars, the upstream and the load generators share all ${all} cores, in every row.`
  const places = `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')} of ${all}`
  return `The app and its sidecars share ${places}; the upstream and the load generators have the others.`
}

function describePair({ name }: RowResult, other: RowResult, comparison: Comparison | null): string {
  const parts = toldMetrics.map(metric => {
    const ratio = comparison?.[metric]
    return `${told[metric]} × ${formatRatio(ratio, 2)} (${wordOf(metric, ratio?.verdict ?? 'inconclusive')})`
  })
  return `${name} against ${other.name}: ${parts.join(', ')}.`
}
