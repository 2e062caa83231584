import { type Estimate, mean } from './estimate.ts'
import { studentQuantile } from './student.ts'
import { LEAST_DEGREES } from './thresholds.ts'

/** How much one value of a row scatters within a block, over all rows of a run. */
export interface Scatter {
  readonly variance: number
  readonly degrees: number
}

/**
 * The mean of the differences of two rows from few blocks. So few differences do not show how much they scatter, so the interval
 * is made from the scatter of all rows of the run, in which two values differ by twice the variance of one. If the two rows scatter more than that, it
 * takes the mean of both variances.
 * @param confidence of the interval, by Student's t with the degrees of freedom of the whole run
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
  const standardError = Math.sqrt(Math.max(ofAll, (own + ofAll) / 2) / count)
  const isEnough = count >= 2 && degrees >= LEAST_DEGREES
  return {
    value,
    standardError,
    halfWidth: isEnough ? studentQuantile(confidence, degrees) * standardError : Number.POSITIVE_INFINITY,
  }
}
