/** Values of one row by the number of their block; a block that lacks a sample has none. */
export type ByBlock = ReadonlyMap<number, number>

/** The residuals of values: each value less the effect of its row and that of its block. */
export interface Residuals {
  readonly rows: readonly ByBlock[]
  /** Degrees of freedom that the residuals have. */
  readonly degrees: number
}

const MOST_SWEEPS = 200
const SETTLED = 1e-12

/**
 * Takes the effects of rows and of blocks out of a table that may have gaps, by turns, until nothing moves: the fit of
 * least squares of a randomized block design.
 */
export function takeOutEffects(table: readonly ByBlock[]): Residuals {
  const rows = table.filter(({ size }) => size > 0).map(row => new Map(row))
  const blocks = [...new Set(rows.flatMap(row => [...row.keys()]))]
  const columns = blocks.map(block => rows.filter(row => row.has(block)).map(row => [row, block] as const))
  const lines = rows.map(row => [...row.keys()].map(block => [row, block] as const))
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const moved = Math.max(0, ...lines.map(centre), ...columns.map(centre))
    if (moved < SETTLED) break
  }
  const values = lines.reduce((count, { length }) => count + length, 0)
  return { rows, degrees: Math.max(0, values - rows.length - blocks.length + 1) }
}

/** Subtracts the mean of some cells from each of them. @returns how far they moved */
function centre(cells: readonly (readonly [Map<number, number>, number])[]): number {
  const mean = cells.reduce((sum, [row, block]) => sum + (row.get(block) as number), 0) / cells.length
  for (const [row, block] of cells) row.set(block, (row.get(block) as number) - mean)
  return Math.abs(mean)
}

/** The sum of the products of two tables of residuals with the same gaps. */
export const productOf = (one: Residuals, other: Residuals): number =>
  one.rows.reduce(
    (sum, row, index) =>
      [...row].reduce((part, [block, value]) => part + value * (other.rows[index]?.get(block) ?? 0), sum),
    0,
  )
