import type { Comparison } from '../protocol.ts'

/** A change of less than this share is called none. */
const NO_CHANGE = 0.03

const factor = (value: number): string => value.toFixed(value < 10 ? (value < 2 ? 2 : 1) : 0)

/** How a value compares with an earlier one: `8.7 × less`, `1.4 × more`, `as much`. */
export function compareValues(
  now: number,
  before: number,
): { text: string; change: 'less' | 'more' | 'none' } {
  const ratio = now / before
  if (Math.abs(ratio - 1) < NO_CHANGE) return { text: 'as much', change: 'none' }
  return ratio < 1
    ? { text: `${factor(1 / ratio)} × less`, change: 'less' }
    : { text: `${factor(ratio)} × more`, change: 'more' }
}

interface Said {
  readonly text: string
  /** The subject of the text, in a second line. */
  readonly note: string
  readonly verdict: Comparison['verdict'] | 'none'
}

/** The verdict on a step in a few words, such as `4.9 × ± 0.2`, `less than at step 0`. @param before number of the step before */
export function describeComparison(comparison: Comparison | undefined, before: number | undefined): Said {
  const none = (text: string, note = ''): Said => ({ text, note, verdict: 'none' })
  if (!comparison || comparison.blocks === 0) return none('not shown yet')
  const drift = describeDrift(comparison)
  if (before === undefined) return none('the beginning', drift)
  const { ratio, ci95, verdict } = comparison
  if (ratio === null) return none('cannot tell', `step ${before} was not shown`)
  if (ci95 === null) return none('cannot tell yet', drift)
  const than = `than at step ${before}`
  if (verdict === 'inconclusive' || verdict === 'equivalent')
    return { text: verdict, note: drift || `to step ${before}`, verdict }
  const [low, high] = ratio >= 1 ? ci95 : ([1 / ci95[1], 1 / ci95[0]] as const)
  const half = (high - low) / 2
  const digits = half < 0.095 ? 2 : 1
  const times = (ratio >= 1 ? ratio : 1 / ratio).toFixed(digits)
  return {
    text: `${times} × ± ${half.toFixed(digits)}`,
    note: drift || `${ratio >= 1 ? 'less' : 'more'} ${than}`,
    verdict,
  }
}

/** A change while the step is shown, such as `drifts: 6 % less`; empty if none is seen. */
function describeDrift({ drift }: Comparison): string {
  if (drift === null) return ''
  return `drifts: ${Math.max(1, Math.round(Math.abs(drift) * 100))} % ${drift < 0 ? 'less' : 'more'}`
}
