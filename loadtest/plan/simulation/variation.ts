import { drawNormal, seededRandom } from '../../../lib/random.ts'

/** Of a stream of its own, besides those of the arrivals and the host. */
const SEED = 3

/**
 * Draws factors of 1 in the mean, with a log-normal distribution, by which the CPU time of a piece of work varies.
 * @param variation the coefficient of variation: the standard deviation over the mean; 0 for no variation
 */
export function createVariation(variation: number): () => number {
  if (variation === 0) return () => 1
  const random = seededRandom(SEED)
  const variance = Math.log(1 + variation ** 2)
  const deviation = Math.sqrt(variance)
  return () => Math.exp(deviation * drawNormal(random) - variance / 2)
}
