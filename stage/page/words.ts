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
  if (Math.abs(ratio - 1) < NO_CHANGE) return { text: 'about as much', change: 'none' }
  return ratio < 1
    ? { text: `${factor(1 / ratio)} × less`, change: 'less' }
    : { text: `${factor(ratio)} × more`, change: 'more' }
}

/** The verdict on a step in a few words, such as `4.9 × ± 0.2 less`. @param isFirst whether no step comes before it */
export function describeComparison(
  comparison: Comparison | undefined,
  isFirst: boolean,
): { text: string; verdict: string } {
  if (!comparison || comparison.blocks === 0) return { text: 'not shown yet', verdict: 'none' }
  if (isFirst) return { text: 'where we begin', verdict: 'none' }
  const { ratio, ci95, verdict } = comparison
  if (ratio === null) return { text: 'nothing to compare', verdict: 'none' }
  if (ci95 === null) return { text: 'cannot tell yet', verdict: 'none' }
  if (verdict === 'inconclusive') return { text: 'no difference found', verdict }
  if (verdict === 'equivalent') return { text: 'as much, within 2 %', verdict }
  const [low, high] = ratio >= 1 ? ci95 : ([1 / ci95[1], 1 / ci95[0]] as const)
  const times = ratio >= 1 ? ratio : 1 / ratio
  const half = (high - low) / 2
  const digits = half < 0.095 ? 2 : 1
  return {
    text: `${times.toFixed(digits)} × ± ${half.toFixed(digits)} ${ratio >= 1 ? 'less' : 'more'}`,
    verdict,
  }
}

/** A change while the step is shown, such as `drifts: 6 % less`; empty if none is seen. */
export function describeDrift({ drift }: Comparison): string {
  if (drift === null) return ''
  return `drifts: ${Math.max(1, Math.round(Math.abs(drift) * 100))} % ${drift < 0 ? 'less' : 'more'}`
}
