/**
 * What the interval of a ratio allows to say. Files of results have these words: `faster` for every value that is better, and
 * `slower` for every value that is worse.
 */
export type Verdict = 'faster' | 'slower' | 'equivalent' | 'inconclusive'

/** The word that people read for a verdict: whether the value is less or more. */
export function wordOf(verdict: Verdict, better: 'lower' | 'higher') {
  if (verdict === 'equivalent') return 'the same'
  if (verdict === 'inconclusive') return 'cannot tell'
  return (verdict === 'faster') === (better === 'lower') ? 'less' : 'more'
}
