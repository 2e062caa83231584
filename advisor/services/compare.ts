import type { Column } from '../../lib/cli/columns.ts'
import { percent } from '../output/tables.ts'
import { byConcern, type ThreadSpectrum } from '../spectrum/spectrum.ts'

/** A concern that both profilers give less than this is not compared. */
const LEAST_SHARE = 0.02

/** One service, seen by both profilers under the same load. */
export interface Row {
  readonly title: string
  readonly requests: number
  readonly spectrum: ThreadSpectrum
  readonly concerns: readonly { concern: string; v8: number; perf: number }[]
}

/** The share of each concern by both profilers. The remaining time is the event loop's and the kernel's. */
export function compare(v8: ThreadSpectrum, perf: ThreadSpectrum): Row['concerns'] {
  const [own, other] = [sharesOf(v8), sharesOf(perf)]
  return [...new Set([...own.keys(), ...other.keys()])]
    .map(concern => ({ concern, v8: own.get(concern) ?? 0, perf: other.get(concern) ?? 0 }))
    .filter(each => Math.max(each.v8, each.perf) >= LEAST_SHARE)
    .sort((one, another) => another.perf - one.perf)
}

/** Shares of the time that a profiler explains. */
const sharesOf = (thread: ThreadSpectrum): Map<string, number> => {
  const explained = 1 - thread.missedShare
  return new Map([
    ...byConcern(thread).map(
      ({ concern, share, gcShare }) => [concern, (share + gcShare) / explained] as const,
    ),
    ['event loop and kernel', thread.nativeShare / explained] as const,
  ])
}

const largestDifference = ({ concerns }: Row) =>
  Math.max(...concerns.map(({ v8, perf }) => Math.abs(v8 - perf)))

export const columns: readonly Column<Row>[] = [
  { title: 'service', cell: ({ title }) => title },
  { title: 'requests', cell: ({ requests }) => String(requests) },
  { title: 'busy', cell: ({ spectrum }) => percent(spectrum.busyShare) },
  { title: 'coverage', cell: ({ spectrum: { coverage } }) => (coverage === null ? '' : percent(coverage)) },
  {
    title: 'control seen',
    cell: ({ spectrum: { controlSeen } }) => (controlSeen === null ? '' : percent(controlSeen)),
  },
  { title: 'largest difference', cell: row => `${(largestDifference(row) * 100).toFixed(1)} points` },
]

export const describe = ({ title, concerns }: Row) =>
  `${title}: ${concerns.map(({ concern, v8, perf }) => `${concern} ${percent(v8)} (perf ${percent(perf)})`).join(', ')}.`
