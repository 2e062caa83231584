import { drawExponential, seededRandom } from '../../lib/random.ts'
import type { Load } from './protocol.ts'

/**
 * Generates the times at which requests are due, in milliseconds from the start, without end: at equal gaps, or as a
 * Poisson process, whose gaps are exponential. Each time is a whole number of mean gaps or a sum of drawn ones, so
 * rounding errors do not grow.
 */
export function* schedule(load: Load & { kind: 'open' }): Generator<number, never> {
  const meanGapMs = 1000 / load.ratePerSecond
  const random = seededRandom(load.seed)
  const gap = { constant: () => 1, poisson: () => drawExponential(random) }[load.arrivals]
  for (let gaps = 0; ; gaps += gap()) yield gaps * meanGapMs
}
