import type { RowResult } from '../outcome/results.ts'

/**
 * Checks the model of the ceiling, which divides a second by the main-thread cost of a response and assumes that this
 * cost is the same at any load. Says for rows at several rates whether it is.
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
      return `${between} the run cannot confirm or reject the ceiling model.`
    const [low, high] = ci95.map(end => Math.abs((end - 1) * 100)).sort((a, b) => a - b)
    const change = `${(low as number).toFixed(0)} to ${(high as number).toFixed(0)} %`
    return `${between} the main-thread cost of a response ${ratio < 1 ? 'falls' : 'rises'} by ${change}: the ceiling calculated at the lower rate is too ${ratio < 1 ? 'low' : 'high'}.`
  })
}
