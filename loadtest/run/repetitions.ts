import type { Sample } from '../sample/sample.ts'

/** A refused sample is taken again at most this often. */
export const MAX_REPETITIONS = 3

/** Whether a row with these samples still needs one in this block. */
export function isOpen(samples: readonly Pick<Sample, 'round' | 'valid'>[], block: number): boolean {
  const taken = samples.filter(({ round }) => round === block)
  return taken.length <= MAX_REPETITIONS && !taken.some(({ valid }) => valid)
}
