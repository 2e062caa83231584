import type { Design, Estimate } from './estimate.ts'
import { studentQuantile } from './student.ts'
import { BOOTSTRAP_CONFIDENCE, START_SCATTER } from './thresholds.ts'

/** With so many degrees of freedom, Student's t is the normal distribution. */
const MANY_DEGREES = 1000

/** Number of starts whose scatter the samples of two rows cannot show: one for each row whose stack was started only once. */
export const startsOfPair = ({ keepsStacks }: Design): number => (keepsStacks ? 2 : 0)

/** The standard error that so many starts add to a comparison. */
export const startError = (starts: number): number => START_SCATTER * Math.sqrt(starts)

/**
 * Widens an estimate of rows whose stacks were started once: other starts may give other values, which no sample of the run
 * can show. The scatter of starts is therefore assumed.
 * @param starts number of starts that contribute to the estimate; 0 if each sample has a start of its own
 */
export function withStarts(
  { value, standardError, halfWidth }: Estimate,
  starts: number,
  confidence = BOOTSTRAP_CONFIDENCE,
): Estimate {
  const error = startError(starts)
  return {
    value,
    standardError: Math.hypot(standardError, error),
    halfWidth: Math.hypot(halfWidth, studentQuantile(confidence, MANY_DEGREES) * error),
  }
}
