import type { Verdict } from '../../lib/verdict.ts'
import { estimateMean } from './bootstrap.ts'
import type { Estimate } from './estimate.ts'
import type { Interval } from './median.ts'
import { EQUIVALENCE, POWER_QUANTILE } from './thresholds.ts'

/** The ratio of one row's value to another's. */
export interface Ratio {
  /** Geometric mean; null when no block has both. */
  readonly ratio: number | null
  /** Null for too few blocks, or degrees of freedom of the whole run. */
  readonly ci95: Interval | null
  readonly verdict: Verdict
  /** The smallest change that a run with as many blocks and as much noise finds four times of five; 0.03 for 3 %. */
  readonly smallestDetectableEffect: number | null
  /** Absent when no covariate could adjust the ratio. */
  readonly adjustment?: Adjustment
}

/** A ratio without the part that a covariate explains. */
export interface Adjustment {
  /** By how many percent the metric changes when the covariate changes by one percent. */
  readonly slope: number
  /** Whether the adjusted ratio took the place of the raw one. */
  readonly decides: boolean
  readonly raw: Pick<Ratio, 'ratio' | 'ci95'>
  readonly adjusted: Pick<Ratio, 'ratio' | 'ci95'>
}

/**
 * The ratio of pairs that were taken in the same block: effects of the block on both cancel out. With logarithms, the
 * ratio of A to B and that of B to A agree (Fleming and Wallace, How Not to Lie with Statistics, 1986).
 */
export const pairedRatio = (pairs: readonly Interval[], better: 'lower' | 'higher'): Ratio =>
  pairs.length === 0
    ? { ratio: null, ci95: null, verdict: 'inconclusive', smallestDetectableEffect: null }
    : describe(estimateMean(pairs.map(([own, other]) => Math.log(own / other))), better)

/** The ratio of values that were not taken in the same blocks: nothing cancels out. */
export const unpairedRatio = (
  own: readonly number[],
  others: readonly number[],
  better: 'lower' | 'higher',
): Ratio =>
  own.length === 0 || others.length === 0
    ? pairedRatio([], better)
    : describe(estimateMean(own.map(Math.log), others.map(Math.log)), better)

/** Describes an estimate of logarithms that was made with and without a covariate; the narrower interval decides. */
export function describeAdjusted(
  raw: Estimate,
  adjusted: Estimate,
  slope: number,
  better: 'lower' | 'higher',
): Ratio {
  const decides = adjusted.halfWidth < raw.halfWidth
  const brief = (estimate: Estimate) => {
    const { ratio, ci95 } = describe(estimate, better)
    return { ratio, ci95 }
  }
  const adjustment = { slope, decides, raw: brief(raw), adjusted: brief(adjusted) }
  return { ...describe(decides ? adjusted : raw, better), adjustment }
}

/** Describes an estimate of logarithms. Its smallest detectable effect is Bloom's (Minimum Detectable Effects, 1995). */
export function describe({ value, halfWidth, standardError }: Estimate, better: 'lower' | 'higher'): Ratio {
  const ci95 = Number.isFinite(halfWidth)
    ? ([Math.exp(value - halfWidth), Math.exp(value + halfWidth)] as const)
    : null
  return {
    ratio: Math.exp(value),
    ci95,
    verdict: judge(ci95, better),
    smallestDetectableEffect: ci95 && Math.expm1(halfWidth + POWER_QUANTILE * standardError),
  }
}

/**
 * The verdict that the interval of a ratio allows.
 *
 *               0.98   1   1.02
 *   equivalent    | [--+-] |        all of it inside the band, whether or not it holds 1
 *   different     |    | [-+---]    all of it on one side of 1, not all of it inside the band
 *   inconclusive  | [--+---+---]    anything else: no claim
 *
 * The first is the two one-sided tests of Schuirmann (1987), at a level stricter than the usual 90 % interval.
 */
export function judge(ci95: Interval | null, better: 'lower' | 'higher'): Verdict {
  if (ci95 === null) return 'inconclusive'
  const [low, high] = ci95
  if (low >= 1 - EQUIVALENCE && high <= 1 + EQUIVALENCE) return 'equivalent'
  if (low <= 1 && high >= 1) return 'inconclusive'
  return high < 1 === (better === 'lower') ? 'faster' : 'slower'
}
