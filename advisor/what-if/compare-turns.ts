import { UserError } from '../../lib/cli/user-error.ts'
import { createComparison } from '../../loadtest/statistics/compare-rows.ts'
import { median } from '../../loadtest/statistics/median.ts'
import type { Comparison } from '../versus/compare.ts'
import type { Usage } from '../watching/thread.ts'

/** Two turns that follow each other: as the service is, and with the change. */
export type Pair = readonly [without: Usage, withChange: Usage]

/** Fewer pairs tell no interval. */
const LEAST_PAIRS = 5

const measures = [
  {
    name: 'main thread, µs',
    better: 'lower',
    value: ({ cpuMicros, requests }: Usage) => cpuMicros / requests,
  },
  {
    name: 'received/s',
    better: 'higher',
    value: ({ requests, wallMs }: Usage) => (requests / wallMs) * 1000,
  },
] as const

/** Compares turns by the statistics of `versus`. @throws UserError when too few had requests */
export function compareTurns(all: readonly Pair[]): Comparison[] {
  const pairs = all.filter(pair => pair.every(({ requests, cpuMicros }) => requests > 0 && cpuMicros > 0))
  const [{ unit } = { unit: 'request' }] = pairs[0] ?? []
  if (pairs.length < LEAST_PAIRS)
    throw new UserError(
      `only ${pairs.length} of ${all.length} pairs of turns had requests: load the service with --url, or try for longer`,
    )
  return measures.map(({ name, better, value }) => {
    const values = [0, 1].map(side => pairs.map(pair => value(pair[side] as Usage)))
    const metric = values.map(each => new Map(each.map((one, block) => [block, Math.log(one)])))
    const ratio = createComparison({ metric, covariates: {}, better })(1, 0, [])
    const [before = null, after = null] = values.map(each => median(each))
    return {
      measure: name.endsWith('µs') ? `${name}/${unit}` : `${unit}s ${name}`,
      better,
      before,
      after,
      ratio,
    }
  })
}
