import type { RowResult } from '../outcome/results.ts'

/**
 * The ceiling divides a second by what a response costs the main thread, as if that cost were the same at any load.
 * Says of rows at several rates whether it is.
 */
export function checkCeiling(rows: readonly RowResult[]): string[] {
  const [first, ...others] = rows
  if (!first || others.length === 0) return []
  return others.map(({ ratePerSecond, versusFirst }) => {
    const { ratio, ci95, verdict } = versusFirst?.mainThreadMicros ?? {}
    const between = `From ${first.ratePerSecond} to ${ratePerSecond} requests a second`
    if (verdict === 'equivalent')
      return `${between} a response costs the main thread the same: the ceiling model holds.`
    if (verdict === 'inconclusive' || !ratio || !ci95)
      return `${between} nothing can be said of the ceiling model.`
    const [low, high] = ci95.map(end => Math.abs((end - 1) * 100)).sort((a, b) => a - b)
    const change = `${(low as number).toFixed(0)} to ${(high as number).toFixed(0)} % ${ratio < 1 ? 'less' : 'more'}`
    return `${between} a response comes to cost the main thread ${change}: the ceiling reckoned at the lower rate is too ${ratio < 1 ? 'low' : 'high'}.`
  })
}
