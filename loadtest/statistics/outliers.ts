/** How far a value lies from the bulk of the others. */
export type Outlier = 'mild' | 'severe'

const MILD = 1.5
const SEVERE = 3
/** Quartiles of fewer say nothing. */
const LEAST = 5

/**
 * Labels each value by Tukey's fences (Exploratory Data Analysis, 1977): beyond one and a half times the distance of
 * the quartiles it is mild, beyond three times severe. A label is for the reader; every value counts.
 */
export function labelOutliers(values: readonly number[]): (Outlier | null)[] {
  if (values.length < LEAST) return values.map(() => null)
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)]
  return values.map(value => {
    const beyond = Math.max(lower - value, value - upper) / (upper - lower)
    if (beyond > SEVERE) return 'severe'
    return beyond > MILD ? 'mild' : null
  })
}

/** By interpolation between neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] as number
  return below + ((sorted[Math.ceil(at)] as number) - below) * (at % 1)
}
