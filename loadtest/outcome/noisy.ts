import type { Sample } from '../sample/sample.ts'
import { counted } from './format.ts'
import type { SavedRun } from './results.ts'

export type Judged = Pick<Sample, 'valid' | 'reason'> & Partial<Pick<Sample, 'noise'>>

export const NOISY_FIGURES =
  'Costs are higher than on a calm machine, and ratios may be wrong too: measure again before you rely on them.'

/** Whether a sample counts although the machine disturbed it. */
export const isNoisy = ({ valid, noise }: Judged): boolean => valid && noise != null

/** On a calmer machine such a sample may count. */
const isNoiseRefused = ({ valid, noise }: Judged): boolean => !valid && noise != null

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
 * Groups reasons that differ in their figures only: `12 × like “waited 6.10 ms”; 2 × 3 errors`, with those of the first of
 * each.
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

export const adviseOn = (samples: readonly Judged[]): string =>
  samples.some(isNoiseRefused)
    ? 'close other programs, add blocks with a longer --budget, or take the samples as they are with --accept-noise'
    : 'look for the reason in the app, because no other program disturbed them'

/** Names the rows that have a valid sample in at most half of their blocks or, if the run accepts noise, in none. */
export const findPoorRows = (
  rows: readonly { readonly name: string; readonly samples: readonly Judged[] }[],
  { rounds, acceptNoise }: SavedRun['settings'],
): string[] =>
  rows.flatMap(({ name, samples }) => {
    const valid = samples.filter(sample => sample.valid).length
    if (valid > 0 && (acceptNoise || valid * 2 > rounds)) return []
    return [`${name} (${counted(valid, 'valid sample')} in ${counted(rounds, 'block')})`]
  })
