import type { Settings } from '../outcome/settings.ts'
import type { Row } from '../sample/rows.ts'
import { atLoads, type NamedLoad } from '../sample/rows-at-loads.ts'
import { median } from '../statistics/median.ts'
import { measureCapacity } from './capacity.ts'
import type { PlannedRun } from './planned-run.ts'

/** Closed-loop samples of the first row, when loads are shares of its capacity. */
const CAPACITY_SAMPLES = 3

/**
 * Measures the capacity of the first row, and plans every row at each share of it.
 * @param shares in percent
 */
export async function planShares(
  rows: readonly Row[],
  shares: readonly number[],
  settings: Settings,
  abort: AbortSignal,
): Promise<PlannedRun> {
  const capacity = await measureCapacity(rows[0] as Row, CAPACITY_SAMPLES, settings, abort)
  const loads = shares.map((share): NamedLoad => {
    const ratePerSecond = Math.max(1, Math.round(((median(capacity) as number) * share) / 100))
    return { name: `${share} % (${ratePerSecond}/s)`, ratePerSecond }
  })
  return { rows: atLoads(rows, loads), settings: { ...settings, capacity } }
}
