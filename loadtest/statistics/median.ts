import { COVERAGE } from './thresholds.ts'

export type Interval = readonly [number, number]

/** A median, and the interval that contains the true one 95 times of 100; null when there are too few values. */
export interface Median {
  readonly median: number | null
  readonly ci95: Interval | null
}

export const describeMedian = (values: readonly number[]): Median => ({
  median: median(values),
  ci95: medianInterval(values),
})

/** The middle value, or the mean of the two in the middle; null for no values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/**
 * The interval between two of the values themselves, by rank: how many of them lie below the true median is a binomial count
 * with p = 1/2, whatever the distribution (Le Boudec, Performance Evaluation of Computer and Communication Systems, theorem
 * 2.1). Null for fewer than six values.
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const sorted = values.toSorted((a, b) => a - b)
  let rank = -1
  let missed = 0
  for (let below = 0, ways = 1; ; below++) {
    missed += 2 * ways * 0.5 ** sorted.length
    if (missed > 1 - COVERAGE) break
    rank = below
    ways *= (sorted.length - below) / (below + 1)
  }
  return rank < 0 ? null : [sorted[rank] as number, sorted[sorted.length - 1 - rank] as number]
}
