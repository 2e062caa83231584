import { isNoiseRefused, type Judged } from './noisy.ts'

/** Says what to do about a run with too few valid samples. */
export const adviseOn = (samples: readonly Judged[]): string =>
  samples.some(isNoiseRefused)
    ? 'close other programs, add blocks with a longer --budget, or take the samples as they are with --accept-noise'
    : 'look for the reason in the app, because no other program disturbed them'
