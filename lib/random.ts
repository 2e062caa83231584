import { integer } from './cli/options.ts'

/**
 * A seeded stream of numbers in [0, 1), the same on every machine: mulberry32 by Tommy Ettinger (public domain). It is
 * good enough for test data and shuffling, but not for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws from the exponential distribution with the mean 1: the gaps of a Poisson process. */
export const drawExponential = (random: () => number): number => -Math.log(1 - random())

/** A new array with the same items, in an order drawn from `random` (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const item = result[last] as T
    result[last] = result[chosen] as T
    result[chosen] = item
  }
  return result
}

export const MAX_SEED = 2 ** 31 - 1

/** The query parameter from which an answer is drawn. */
export const seedParameter = integer({
  min: 0,
  max: MAX_SEED,
  default: '1',
  help: 'decides the content of the answer, and is echoed',
})
