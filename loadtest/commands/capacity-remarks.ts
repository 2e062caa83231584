import type { RowResult } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { withoutLoad } from '../sample/rows-at-loads.ts'
import { median } from '../statistics/median.ts'

/** Says what 100 % is, when loads are shares of a capacity. */
export function describeCapacity(
  { capacity }: Pick<Settings, 'capacity'>,
  [first]: readonly RowResult[],
): string[] {
  if (!capacity) return []
  const goodput = (median(capacity) as number).toFixed(0)
  const name = withoutLoad(first?.name ?? 'the first row')
  return [`100 % is ${goodput} requests a second, which ${name} answered in a closed loop.`]
}
