import { formatRatio } from '../outcome/format.ts'
import { type Metric, wordOf } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { describeCalibration } from '../run/calibration.ts'

/** The metrics that each row is compared with the first by. */
export const told = {
  goodput: 'goodput',
  besideP99Ms: 'the p99 of /hello',
  totalMicros: 'total cost',
  memoryMiB: 'memory',
} as const satisfies Partial<Record<Metric, string>>

export const toldMetrics = Object.keys(told) as (keyof typeof told)[]

/**
 * Says on which cores everything ran, how large the pools were and why, and how each row compares with the first: a
 * sentence each.
 */
export function describeCores({ settings, environment, steps, calibration }: Results): string[] {
  const [first, ...others] = steps
  return [
    describePlaces(settings.cores ?? null, environment.cores),
    ...(calibration ? [describeCalibration(calibration)] : []),
    ...(first ? others.map(row => describeRow(row, first)) : []),
  ]
}

function describePlaces(cores: readonly number[] | null, all: number): string {
  if (cores === null)
    return `The app, its sidecars, the upstream and the load generators share all ${all} cores, in every row.`
  const places = `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')} of ${all}`
  return `The app and its sidecars share ${places}; the upstream and the load generators have the others.`
}

function describeRow({ name, versusFirst }: RowResult, first: RowResult): string {
  const parts = toldMetrics.map(metric => {
    const ratio = versusFirst?.[metric]
    return `${told[metric]} × ${formatRatio(ratio, 2)} (${wordOf(metric, ratio?.verdict ?? 'inconclusive')})`
  })
  return `${name} against ${first.name}: ${parts.join(', ')}.`
}
