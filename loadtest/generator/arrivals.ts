import { seededRandom } from '../../lib/random.ts'
import type { Load } from './protocol.ts'

/**
 * When requests are to be sent, in milliseconds from the start, without end: evenly, or as a Poisson process, whose
 * gaps are exponential. Each is reckoned from the number of those before, so that no rounding adds up.
 */
export function* schedule(load: Load & { kind: 'open' }): Generator<number, never> {
  const meanGapMs = 1000 / load.ratePerSecond
  const random = seededRandom(load.seed)
  const gap = { constant: () => 1, poisson: () => -Math.log(1 - random()) }[load.arrivals]
  for (let gaps = 0; ; gaps += gap()) yield gaps * meanGapMs
}
