import { studentQuantile } from './student.ts'
import { BOOTSTRAP_CONFIDENCE, LEAST_DEGREES, START_SCATTER } from './thresholds.ts'

/** With so many degrees of freedom, Student's t is the normal distribution. */
const MANY_DEGREES = 1000

/**
 * Widens an estimate of rows whose stacks were started once, by an assumed scatter of starts, which no sample of the run can
 * show.
 * @param starts that contribute to the estimate; 0 if each sample has a start of its own
 */
export function withStarts(
  { value, standardError, halfWidth }: Estimate,
  starts: number,
  confidence = BOOTSTRAP_CONFIDENCE,
): Estimate {
  const error = START_SCATTER * Math.sqrt(starts)
  return {
    value,
    standardError: Math.hypot(standardError, error),
    halfWidth: Math.hypot(halfWidth, studentQuantile(confidence, MANY_DEGREES) * error),
  }
}

/** How much one value of a row scatters within a block, over all rows of a run. */
export interface Scatter {
  readonly variance: number
  readonly degrees: number
}

/**
 * The mean of few differences of two rows. So few do not show how much they scatter, so the interval is made from the scatter
 * of all rows of the run, in which two values differ by twice the variance of one, or from their own if that is larger.
 * @param confidence by Student's t with the degrees of freedom of the whole run
 */
export function estimateFew(
  differences: readonly number[],
  { variance, degrees }: Scatter,
  confidence: number,
): Estimate {
  const value = mean(differences)
  const count = differences.length
  const own = differences.reduce((sum, each) => sum + (each - value) ** 2, 0) / Math.max(1, count - 1)
  const ofAll = 2 * variance
  const standardError = Math.sqrt(Math.max(ofAll, own) / count)
  const isEnough = count >= 2 && degrees >= LEAST_DEGREES
  return {
    value,
    standardError,
    halfWidth: isEnough ? studentQuantile(confidence, degrees) * standardError : Number.POSITIVE_INFINITY,
  }
}

/** An estimate, and how far the true value may lie from it. */
export interface Estimate {
  readonly value: number
  readonly standardError: number
  /** Half the width of the interval around `value`; infinite where there is no interval. */
  readonly halfWidth: number
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Standard error of the mean; NaN for fewer than two values. */
export function standardError(values: readonly number[]): number {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

/** How a run was made, as far as it decides how wide its intervals have to be. */
export interface Design {
  /** Whether the run looked at its verdicts while it went on, as runs with `--quick` do. */
  readonly looks?: boolean | undefined
  /** Whether all samples of a row are of one start of its stack. */
  readonly keepsStacks?: boolean | undefined
}
