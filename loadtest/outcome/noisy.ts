import type { Sample } from '../sample/sample.ts'
import { counted } from './format.ts'

/** The part of a sample that says whether it counts. */
export type Judged = Pick<Sample, 'valid' | 'reason' | 'noise'>

/** How to read the figures of a noisy run. */
export const NOISY_FIGURES =
  'Costs are higher than on a calm machine, and ratios may be wrong too: measure again before you rely on them.'

/** Whether a sample counts although the machine disturbed it. */
export const isNoisy = ({ valid, noise }: Judged): boolean => valid && noise != null

/** Whether a sample was refused while the machine disturbed it: on a calmer machine it may well count. */
export const isNoiseRefused = ({ valid, noise }: Judged): boolean => !valid && noise != null

/** Says how many samples count although they were disturbed, and by what; null when there are none. */
export function describeNoisy(samples: readonly Judged[]): string | null {
  const noisy = samples.filter(isNoisy)
  if (noisy.length === 0) return null
  const counting = samples.filter(({ valid }) => valid).length
  return `${noisy.length} of the ${counted(counting, 'sample')} that count were disturbed: ${groupReasons(noisy.map(({ noise }) => noise))}`
}

/** Says how many samples were refused, and why; null when there are none. */
export function describeRefused(samples: readonly Judged[]): string | null {
  const refused = samples.filter(({ valid }) => !valid)
  if (refused.length === 0) return null
  return `${refused.length} of ${counted(samples.length, 'sample')} were refused: ${groupReasons(refused.map(({ reason }) => reason))}`
}

/**
 * Groups reasons that differ in their figures only: `12 × other programs made … wait 6.10 ms …, 2 × 3 errors`, with the
 * figures of the first of each group.
 */
function groupReasons(reasons: readonly (string | null | undefined)[]): string {
  const known = reasons.map(reason => reason ?? 'no reason recorded')
  const groups = Map.groupBy(known, reason => reason.replaceAll(/\d+(\.\d+)?/g, '…'))
  return [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .map(
      group =>
        `${group.length} × ${group.length > 1 ? 'like “' : ''}${group[0]}${group.length > 1 ? '”' : ''}`,
    )
    .join('; ')
}
