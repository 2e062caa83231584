import { seededRandom } from '../../lib/random.ts'
import { type Estimate, mean, standardError } from './estimate.ts'
import { studentQuantile } from './student.ts'
import { BOOTSTRAP_CONFIDENCE, LEAST_VALUES, MOST_CONFIDENCE, RESAMPLES } from './thresholds.ts'

/** The same values always have the same interval. */
const SEED = 1

/**
 * The mean of `values`, or its distance from the mean of `others`, with a symmetric studentized bootstrap interval
 * (bootstrap-t: Hall, On Symmetric Bootstrap Confidence Intervals, 1988; Efron and Tibshirani, An Introduction to the
 * Bootstrap, chapter 12), which keeps the coverage where few values leave the percentile and BCa intervals too narrow
 * (Hesterberg, What Teachers Should Know About the Bootstrap, 2015). Resamples of few values that happen to be nearly the same
 * seem far away, so Student's t with {@link MOST_CONFIDENCE} bounds the interval. There is none for fewer than {@link
 * LEAST_VALUES} values.
 */
export function estimateMean(values: readonly number[], others?: readonly number[]): Estimate {
  const groups = others ? [values, others] : [values]
  const value = mean(values) - (others ? mean(others) : 0)
  const error = Math.hypot(...groups.map(standardError))
  if (groups.some(({ length }) => length < LEAST_VALUES)) {
    return { value, standardError: error, halfWidth: Number.POSITIVE_INFINITY }
  }
  if (error === 0) return { value, standardError: 0, halfWidth: 0 }
  const most = studentQuantile(MOST_CONFIDENCE, Math.min(...groups.map(({ length }) => length)) - 1)
  return { value, standardError: error, halfWidth: Math.min(criticalDistance(groups), most) * error }
}

/** The distance from the mean, in standard errors, that most resamples stay within. */
function criticalDistance(groups: readonly (readonly number[])[]): number {
  const random = seededRandom(SEED)
  const centred = groups.map(values => {
    const middle = mean(values)
    return values.map(value => value - middle)
  })
  const distances = new Float64Array(RESAMPLES)
  for (let resample = 0; resample < RESAMPLES; resample++) distances[resample] = drawDistance(centred, random)
  return distances.sort()[Math.ceil(BOOTSTRAP_CONFIDENCE * RESAMPLES) - 1] as number
}

/**
 * The deviation of one resample from the true value, 0, in its own standard errors; infinite when its values are all the same.
 */
function drawDistance(groups: readonly (readonly number[])[], random: () => number): number {
  let deviation = 0
  let variance = 0
  for (const [index, values] of groups.entries()) {
    const count = values.length
    let sum = 0
    let squares = 0
    for (let drawn = 0; drawn < count; drawn++) {
      const value = values[Math.floor(random() * count)] as number
      sum += value
      squares += value * value
    }
    deviation += (index === 0 ? sum : -sum) / count
    variance += Math.max(0, squares - (sum * sum) / count) / (count - 1) / count
  }
  // Rounding leaves a trace of variance when all drawn values are the same.
  return variance < 1e-12 * deviation ** 2
    ? Number.POSITIVE_INFINITY
    : Math.abs(deviation) / Math.sqrt(variance)
}
