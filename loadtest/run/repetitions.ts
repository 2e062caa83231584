import type { Sample } from '../sample/sample.ts'

/** How often a sample that was refused is taken again. */
export const MAX_REPETITIONS = 3

/** Whether what these are samples of still needs one in this block. */
export function isOpen(samples: readonly Pick<Sample, 'round' | 'valid'>[], block: number): boolean {
  const taken = samples.filter(({ round }) => round === block)
  return taken.length <= MAX_REPETITIONS && !taken.some(({ valid }) => valid)
}
