import { CHECK_GROWTH, LEAST_DEGREES, QUICK_ERROR } from './thresholds.ts'

/** Each look may use this share of the part of `QUICK_ERROR` that earlier looks have not used. */
const SPENT = 0.3

/**
 * A run with `--quick` looks at the verdict of a pair after so many blocks of it: first when all rows together give an
 * interval, then after half as many again, at least one more. For seven rows: 2, 3, 4, 6, 9, …; for two rows: 6, 9, 13, …
 */
export function isLook(rows: number, blocks: number): boolean {
  return blocks === lookFrom(rows, blocks).blocks
}

/**
 * The confidence of the interval that a pair has at a look (alpha spending: Lan and DeMets 1983). Each look may be wrong by
 * 30 % of the part of `QUICK_ERROR` that is left: together, however many looks there are and whatever ends the run, they are
 * wrong by at most `QUICK_ERROR`. Between two looks, an interval has the confidence of the next.
 */
export function confidenceOfLook(rows: number, blocks: number): number {
  const { number } = lookFrom(rows, blocks)
  return 1 - QUICK_ERROR * SPENT * (1 - SPENT) ** (number - 1)
}

/** The number of blocks that give so many rows their first intervals. */
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
