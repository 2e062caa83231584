import { isDeepStrictEqual } from 'node:util'
import type { ConstantWork } from '../generator/protocol.ts'
import type { Row } from '../sample/rows.ts'
import type { Metric } from './metrics.ts'

/** The metrics that follow the speed of the machine, each with the work that is no part of it. */
const variates: Partial<Record<Metric, readonly ConstantWork[]>> = {
  mainThreadMicros: ['orders', 'generator', 'tasks'],
  totalMicros: ['orders', 'generator'],
}

/**
 * The constant work that may adjust the ratio of two rows by a metric: none unless the rows are alike but for a handicap.
 * The app decides how often it wakes the other processes and how much of the caches it leaves them, so the same work costs
 * a different amount beside another app.
 */
export const findCovariates = (metric: Metric, own: Row, other: Row): readonly ConstantWork[] =>
  isDeepStrictEqual(describeApp(own), describeApp(other)) ? (variates[metric] ?? []) : []

/** Everything about a row that decides what its app does, and how fast. */
function describeApp({ composition, app, node, nodeFlags, ratePerSecond, floor, branch }: Row) {
  const { handicapPercent: _, ...options } = app ?? {}
  return { composition, options, node, nodeFlags, ratePerSecond, floor, branch }
}
