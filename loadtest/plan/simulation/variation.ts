import { seededRandom } from '../../../lib/random.ts'

const SEED = 1

/**
 * Draws factors of 1 in the mean, with a log-normal distribution, by which the CPU time of a piece of work varies.
 * @param variation the coefficient of variation: the standard deviation over the mean; 0 for no variation
 */
export function createVariation(variation: number): () => number {
  if (variation === 0) return () => 1
  const random = seededRandom(SEED)
  const variance = Math.log(1 + variation ** 2)
  return () => Math.exp(Math.sqrt(variance) * drawNormal(random) - variance / 2)
}

/** Box and Muller, A note on the generation of random normal deviates, 1958. */
const drawNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
