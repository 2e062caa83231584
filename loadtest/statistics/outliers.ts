import { LEAST_FOR_OUTLIERS, MILD_OUTLIER, SEVERE_OUTLIER } from './thresholds.ts'

/** How far a value lies from most of the others. */
export type Outlier = 'mild' | 'severe'

/**
 * Labels each value by Tukey's fences (Exploratory Data Analysis, 1977): beyond one and a half times the distance of
 * the quartiles it is mild, beyond three times severe. A label is for the reader; every value counts.
 */
export function labelOutliers(values: readonly number[]): (Outlier | null)[] {
  if (values.length < LEAST_FOR_OUTLIERS) return values.map(() => null)
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)]
  return values.map(value => {
    const beyond = Math.max(lower - value, value - upper) / (upper - lower)
    if (beyond > SEVERE_OUTLIER) return 'severe'
    return beyond > MILD_OUTLIER ? 'mild' : null
  })
}

/** The quantile, interpolated between neighbours. @param sorted in ascending order */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] as number
  return below + ((sorted[Math.ceil(at)] as number) - below) * (at % 1)
}
