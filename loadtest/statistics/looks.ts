import type { Interval } from './median.ts'
import { CHECK_GROWTH, FIRST_CHECK_BLOCKS, LEAST_DEGREES, QUICK_ERROR } from './thresholds.ts'

/** Each look may use this share of the part of `QUICK_ERROR` that earlier looks have not used. */
const SPENT = 0.3

/**
 * A run with `--quick` looks at the verdict of a pair after so many blocks of it: first when all rows together give an
 * interval, then after half as many again. For seven rows: 2, 3, 4, 6, 9, …; for two rows: 6, 9, 13, …
 */
export function isLook(rows: number, blocks: number): boolean {
  return blocks === lookFrom(rows, blocks).blocks
}

/**
 * The confidence of the interval of a pair at a look (alpha spending: Lan and DeMets 1983). Each look may be wrong by 30 % of
 * the part of `QUICK_ERROR` that is left, so all together by at most that. Between two looks, it is that of the next.
 */
export function confidenceOfLook(rows: number, blocks: number): number {
  const { number } = lookFrom(rows, blocks)
  return 1 - QUICK_ERROR * SPENT * (1 - SPENT) ** (number - 1)
}

/** Number of blocks that give so many rows their first intervals. */
export const firstLook = (rows: number): number => 1 + Math.ceil(LEAST_DEGREES / Math.max(1, rows - 1))

/** The first look after at least this many blocks. */
function lookFrom(rows: number, least: number) {
  let look = { number: 1, blocks: firstLook(rows) }
  while (look.blocks < least) {
    const next = Math.max(look.blocks + 1, Math.floor(look.blocks * CHECK_GROWTH))
    look = { number: look.number + 1, blocks: next }
  }
  return look
}

/**
 * Whether a run with a budget checks after so many blocks if its intervals are narrow enough to stop: after 8, 12, 18, 27, 40,
 * … A check after every block would stop at a lucky one.
 */
export function isCheck(blocks: number): boolean {
  let check = FIRST_CHECK_BLOCKS
  while (check < blocks) check = Math.floor(check * CHECK_GROWTH)
  return check === blocks
}

/** How far the true ratio may lie from the middle of its interval, as a share: 0.02 for ±2 %. */
export const widthOf = ([low, high]: Interval): number => Math.sqrt(high / low) - 1

/** Whether a ratio is known to within this share of itself. */
export const isNarrow = (ci95: Interval | null, share: number): boolean =>
  ci95 !== null && widthOf(ci95) <= share
