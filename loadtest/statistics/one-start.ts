import type { Estimate } from './estimate.ts'
import { studentQuantile } from './student.ts'
import { BOOTSTRAP_CONFIDENCE, START_SCATTER } from './thresholds.ts'

/** With so many degrees of freedom, Student's t is the normal distribution. */
const MANY_DEGREES = 1000

/** Standard error of the difference of two rows that have one start each. */
export const START_ERROR = Math.SQRT2 * START_SCATTER

/**
 * Widens an estimate of rows whose stacks were started once: other starts may give other values, which no sample of the run
 * can show. The scatter of starts is therefore assumed.
 */
export const withStarts = (
  { value, standardError, halfWidth }: Estimate,
  confidence = BOOTSTRAP_CONFIDENCE,
): Estimate => ({
  value,
  standardError: Math.hypot(standardError, START_ERROR),
  halfWidth: Math.hypot(halfWidth, studentQuantile(confidence, MANY_DEGREES) * START_ERROR),
})
