import type { Verdict } from '../../lib/verdict.ts'
import type { Interval } from './median.ts'
import { EQUIVALENCE } from './thresholds.ts'

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
