import type { Interval } from './median.ts'

const FIRST_LOOK = 8
const GROWTH = 1.5

/**
 * Whether a run may stop after this many blocks because its intervals are narrow: after 8, 12, 18, 27, 40, … Looking
 * after every block would stop at a lucky one; half as many again make each look a mostly new one.
 */
export function isLook(blocks: number): boolean {
  for (let look = FIRST_LOOK; look <= blocks; look = Math.floor(look * GROWTH))
    if (look === blocks) return true
  return false
}

/** How far from the middle a ratio may lie, as a share of it: 0.02 for ±2 %. */
export const widthOf = ([low, high]: Interval): number => Math.sqrt(high / low) - 1

/** Whether a ratio is known to within `share` of itself. */
export const isNarrow = (ci95: Interval | null, share: number): boolean =>
  ci95 !== null && widthOf(ci95) <= share
