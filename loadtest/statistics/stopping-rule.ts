import type { Interval } from './median.ts'
import { CHECK_GROWTH, FIRST_CHECK_BLOCKS } from './thresholds.ts'

/**
 * Whether a run checks after this many blocks if its intervals are narrow enough to stop: after 8, 12, 18, 27, 40, …
 * A check after every block would stop at a lucky one; between these checks half as many blocks are added.
 */
export function isCheck(blocks: number): boolean {
  for (let check = FIRST_CHECK_BLOCKS; check <= blocks; check = nextCheck(check))
    if (check === blocks) return true
  return false
}

/** The number of blocks after which a run checks again. */
const nextCheck = (blocks: number): number => Math.floor(blocks * CHECK_GROWTH)

/** How far the true ratio may lie from the middle of its interval, as a share: 0.02 for ±2 %. */
export const widthOf = ([low, high]: Interval): number => Math.sqrt(high / low) - 1

/** Whether a ratio is known to within this share of itself. */
export const isNarrow = (ci95: Interval | null, share: number): boolean =>
  ci95 !== null && widthOf(ci95) <= share
