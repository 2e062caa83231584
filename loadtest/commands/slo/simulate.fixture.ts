import { seededRandom } from '../../../lib/random.ts'
import { nextRate, type Trial } from './search.ts'

/** Milliseconds of the p99 of a sample at this rate. */
export type P99 = (ratePerSecond: number, random: () => number) => number

/** A queue with one server: its p99 in milliseconds in the long run is ln(100) / (mu - lambda). */
export const SERVED_PER_SECOND = 200

export const p99Of = (ratePerSecond: number): number =>
  ratePerSecond >= SERVED_PER_SECOND
    ? Number.POSITIVE_INFINITY
    : (Math.log(100) / (SERVED_PER_SECOND - ratePerSecond)) * 1000

/** The rate at which that p99 is the limit. */
export const truthAt = (limitMs: number): number => SERVED_PER_SECOND - (Math.log(100) / limitMs) * 1000

/** Searches the rate at which a p99 reaches a limit. */
export function search(p99: P99, limitMs: number, samples: number, seed: number): Trial[] {
  const random = seededRandom(seed)
  const trials: Trial[] = []
  for (let sample = 0; sample < samples; sample++) {
    const ratePerSecond = nextRate(trials, 50)
    const p99Ms = p99(ratePerSecond, random)
    const outcome = p99Ms <= limitMs ? 'holds' : 'fails'
    trials.push({ ratePerSecond, outcome, excess: Math.log(p99Ms / limitMs) })
  }
  return trials
}
