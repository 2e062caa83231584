import { formatRatio } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { describeCalibration } from '../run/calibration.ts'
import type { Verdict } from '../statistics/verdict.ts'

/** The metrics that each row is compared with the first by, with the words for less and more. */
export const told = {
  goodput: { what: 'goodput', words: { faster: 'more', slower: 'less' } },
  besideP99Ms: { what: 'the p99 of /hello', words: { faster: 'less', slower: 'more' } },
  totalMicros: { what: 'total cost', words: { faster: 'less', slower: 'more' } },
  memoryMiB: { what: 'memory', words: { faster: 'less', slower: 'more' } },
} as const satisfies Partial<Record<Metric, object>>

/** The word for a verdict on a metric that is not faster or slower, but more or less. */
export const wordOf = (metric: keyof typeof told, verdict: Verdict = 'inconclusive'): string =>
  verdict === 'faster' || verdict === 'slower' ? told[metric].words[verdict] : verdict

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
  const parts = Object.entries(told).map(([metric, { what }]) => {
    const ratio = versusFirst?.[metric as keyof typeof told]
    return `${what} × ${formatRatio(ratio, 2)} (${wordOf(metric as keyof typeof told, ratio?.verdict)})`
  })
  return `${name} against ${first.name}: ${parts.join(', ')}.`
}
