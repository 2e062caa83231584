import { type Estimate, estimateFew, mean, type Scatter, standardError } from './estimate.ts'
import { studentQuantile } from './student.ts'
import { BOOTSTRAP_CONFIDENCE, DEPENDENCE_CONFIDENCE, LEAST_VALUES, SLOPE_CONFIDENCE } from './thresholds.ts'

/** Values of one row by the number of their block; a block that lacks a sample has none. */
export type ByBlock = ReadonlyMap<number, number>

/** The residuals of values: each value less the effect of its row and that of its block. */
export interface Residuals {
  readonly rows: readonly ByBlock[]
  readonly degrees: number
}

const MOST_SWEEPS = 200
const SETTLED = 1e-12

/**
 * Takes the effects of rows and of blocks out of a table that may have gaps, by turns, until nothing moves: the fit of least
 * squares of a randomized block design.
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

/**
 * How the logarithm of a metric follows that of a covariate, within the blocks of a run. The scatter is that of what is left.
 */
export interface Slope extends Scatter {
  readonly slope: number
  readonly standardError: number
  /** Of degrees of freedom, for each pair of rows: all pairs together lose one for the slope. */
  readonly cost: number
}

/**
 * Fits one slope to all rows of a run: a regression on the residuals without the effects of rows and of blocks (Frisch and
 * Waugh 1933). Both are logarithms. A row whose covariate always differs does no harm to the fit.
 * @returns null when there are too few values
 */
export function fitSlope(metric: readonly ByBlock[], covariate: readonly ByBlock[]): Slope | null {
  const ys = takeOutEffects(metric.map((row, index) => keepShared(row, covariate[index])))
  const xs = takeOutEffects(covariate.map((row, index) => keepShared(row, metric[index])))
  const degrees = ys.degrees - 1
  const spread = productOf(xs, xs)
  if (degrees < 1 || spread === 0) return null
  const together = productOf(xs, ys)
  const slope = together / spread
  const variance = Math.max(0, productOf(ys, ys) - slope * together) / degrees
  const standardError = Math.sqrt(variance / spread)
  return { slope, standardError, variance, degrees, cost: 1 / (ys.rows.length - 1) }
}

const keepShared = (row: ByBlock, other: ByBlock | undefined): ByBlock =>
  new Map([...row].filter(([block]) => other?.has(block)))

/**
 * The t statistic of a slope, divided by the value that it has to reach: 1 or more if it is known well enough to adjust with
 * it. It must be above 0, because work costs more when the machine becomes slower.
 */
export const strengthOf = ({ slope, standardError, degrees }: Slope): number =>
  slope / standardError / studentQuantile(SLOPE_CONFIDENCE, degrees)

/**
 * Whether a covariate differs between two rows by more than its noise: then it depends on the row.
 * @param covariates its differences within blocks
 * @param scatter of the covariate in the whole run; few blocks do not tell that themselves
 */
export function dependsOnRow(covariates: readonly number[], { variance, degrees }: Scatter): boolean {
  const count = covariates.length
  const [error, known] =
    count < LEAST_VALUES
      ? [Math.sqrt((2 * variance) / count), degrees]
      : [standardError(covariates), count - 1]
  return known < 1 || Math.abs(mean(covariates)) > studentQuantile(DEPENDENCE_CONFIDENCE, known) * error
}

/**
 * The mean of the differences of two rows, less the part that the covariate explains: a control variate whose mean is known to
 * be 0 (Lavenberg and Welch 1981). The degrees of freedom that the slope costs are paid, and its error is part of the interval.
 * @param fewConfidence the confidence of an interval from few blocks; undefined if there are enough
 */
export function estimateAdjusted(
  differences: readonly number[],
  covariates: readonly number[],
  slope: Slope,
  fewConfidence?: number,
): Estimate {
  const left = differences.map((each, index) => each - slope.slope * (covariates[index] as number))
  const ofSlope = mean(covariates) * slope.standardError
  if (fewConfidence !== undefined) {
    const few = estimateFew(left, slope, fewConfidence)
    if (few.standardError === 0) return few
    const widening = Math.hypot(1, ofSlope / few.standardError)
    return {
      value: few.value,
      standardError: few.standardError * widening,
      halfWidth: few.halfWidth * widening,
    }
  }
  const degrees = left.length - 1 - slope.cost
  const scatter = standardError(left) * Math.sqrt((left.length - 1) / degrees)
  const error = Math.hypot(scatter, ofSlope)
  return {
    value: mean(left),
    standardError: error,
    halfWidth: studentQuantile(BOOTSTRAP_CONFIDENCE, degrees) * error,
  }
}
