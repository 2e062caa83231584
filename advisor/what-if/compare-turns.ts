import { UserError } from '../../lib/cli/user-error.ts'
import { type Comparison, compare } from '../versus/compare.ts'
import type { Usage } from '../watching/thread.ts'

/** Two turns that follow each other: as the service is, and with the change. */
export type Pair = readonly [without: Usage, withChange: Usage]

/** Fewer pairs tell no interval. */
const LEAST_PAIRS = 5

/** Compares turns by the statistics of `versus`. @throws UserError when too few had requests */
export function compareTurns(all: readonly Pair[]): Comparison[] {
  const pairs = all.filter(pair => pair.every(({ requests, cpuMicros }) => requests > 0 && cpuMicros > 0))
  if (pairs.length < LEAST_PAIRS)
    throw new UserError(
      `only ${pairs.length} of ${all.length} pairs of turns had requests: load the service with --url, or try for longer`,
    )
  return compare(
    pairs.map(([before, after]) => ({ before: sampleOf(before), after: sampleOf(after) })),
    false,
  )
}

/** Nobody knows what a request costs its client here, so that adjusts nothing. */
const sampleOf = ({ cpuMicros, requests, wallMs }: Usage) => ({
  mainThreadMicros: cpuMicros / requests,
  responsesPerSecond: (requests / wallMs) * 1000,
  ...{ totalMicros: null, wakeUps: null, p50Ms: 0, p99Ms: 0, generatorMicros: 1, turns: [] },
})
