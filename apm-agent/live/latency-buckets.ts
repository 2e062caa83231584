import { type Checked, count, integer, list, tuple } from '../../lib/check.ts'
import type { Percentiles } from '../../screen/live-messages.ts'

/** Each bucket is 2 % wider than the one before, so the middle of a bucket is wrong by at most 1 %. */
const GROWTH = 1.02
const LEAST_MS = 0.01
/** The buckets reach up to 100 s; the last one also counts every longer latency. */
export const BUCKETS = 1 + Math.ceil(Math.log(100_000 / LEAST_MS) / Math.log(GROWTH))
const BUCKETS_A_UNIT = 1 / Math.log(GROWTH)
const OFFSET = -Math.log(LEAST_MS) * BUCKETS_A_UNIT

/** The bucket of a latency. Latencies below 10 µs are in bucket 0. */
export const bucketOf = (latencyMs: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log(latencyMs) * BUCKETS_A_UNIT + OFFSET)))

/** The geometric middle of a bucket, in milliseconds. */
export const middleOf = (bucket: number): number => LEAST_MS * GROWTH ** (bucket - 0.5)

/** Latencies as they are sent: pairs of a bucket and the number of latencies in it. */
export const isLatencies = list(tuple(integer(BUCKETS - 1), count), BUCKETS)
export type Latencies = Checked<typeof isLatencies>

/** Percentiles in milliseconds by nearest rank, each within 1 %; null if nothing was counted. */
export function percentilesOf(latencies: Latencies): Percentiles | null {
  const ordered = latencies.toSorted(([one], [other]) => one - other)
  const total = ordered.reduce((sum, [, counted]) => sum + counted, 0)
  if (total === 0) return null
  const percentile = (rank: number) => {
    let left = Math.ceil(total * rank)
    const found = ordered.find(([, counted]) => {
      left -= counted
      return left <= 0
    })
    return middleOf((found ?? ordered.at(-1))?.[0] as number)
  }
  return { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) }
}
