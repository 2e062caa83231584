import type { ThreadSpectrum } from '../spectrum/spectrum.ts'

/** The quantile of the normal distribution for an interval of 95 %. */
const QUANTILE = 1.96

/** The part of main-thread cost that stays, at best, when a concern leaves. */
export interface Bound {
  readonly costAtBest: number
  readonly costAtBestRange: readonly [number, number]
}

/**
 * The bound of a concern: 1 − share + hop (Amdahl 1967). Time that the profile missed may belong to the concern, so the
 * lower end counts all of it. Each end has the error of a share of so many samples (normal approximation).
 * @param share of the main thread's CPU time, with the garbage that the concern causes
 * @param hopShare share that a round trip to a worker thread adds
 */
export function boundOf(
  share: number,
  hopShare: number,
  { missedShare, samples, busyShare }: Pick<ThreadSpectrum, 'missedShare' | 'samples' | 'busyShare'>,
): Bound {
  const awake = Math.max(1, samples * busyShare)
  const error = QUANTILE * Math.sqrt((Math.min(1, share) * Math.max(0, 1 - share)) / awake)
  // A part that no sample shows may still take one sample's time.
  const rest = (found: number) => Math.max(1 / awake, found) + hopShare
  const costAtBest = rest(1 - share)
  return { costAtBest, costAtBestRange: [rest(1 - share - missedShare - error), costAtBest + error] }
}
