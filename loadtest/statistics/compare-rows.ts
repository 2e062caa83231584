import { estimateMean } from './bootstrap.ts'
import {
  type ByBlock,
  dependsOnRow,
  estimateAdjusted,
  fitSlope,
  productOf,
  type Slope,
  strengthOf,
  takeOutEffects,
} from './control-variate.ts'
import {
  type Design,
  type Estimate,
  estimateFew,
  type Scatter,
  startsOfPair,
  withStarts,
} from './estimate.ts'
import { confidenceOfLook } from './looks.ts'
import { describe, describeAdjusted, pairedRatio, type Ratio } from './ratio.ts'
import { FEW_CONFIDENCE, LEAST_VALUES, MANY_BLOCKS } from './thresholds.ts'

/** One metric of a run. All values are logarithms, by row and block. */
export interface RunValues extends Design {
  readonly metric: readonly ByBlock[]
  readonly covariates: Readonly<Record<string, readonly ByBlock[]>>
  /** Slopes that are known from more than these values. */
  readonly slopes?: Readonly<Record<string, Slope | null>>
  readonly better: 'lower' | 'higher'
  /** What the rows are measured with, such as their scenario: blocks of each have effects of their own. All the same when absent. */
  readonly groups?: readonly unknown[]
}

/** @returns a function that compares two rows, given by their place in the run, and the names of usable covariates */
export type CompareRows = (own: number, other: number, candidates: readonly string[]) => Ratio

/** Prepares to compare two rows: estimates, from all rows of the run, their scatter and how they follow each covariate. */
export function createComparison(run: RunValues): CompareRows {
  const { metric, covariates, slopes, better, looks, keepsStacks, groups = [] } = run
  const scatter = scatterOf(metric, groups)
  const rows = metric.filter(({ size }) => size > 0).length
  const known = Object.entries(covariates).flatMap(([name, values]) => {
    const slope = slopes?.[name] ?? fitSlope(metric, values)
    return slope && strengthOf(slope) >= 1 ? [{ name, values, slope, spread: scatterOf(values, groups) }] : []
  })
  const strongestFirst = known.toSorted((one, other) => strengthOf(other.slope) - strengthOf(one.slope))

  return (own, other, candidates) => {
    const differences = differencesOf(metric, own, other)
    const count = differences.size
    if (count === 0) return pairedRatio([], better)
    const confidence = looks ? confidenceOfLook(rows, count) : confidenceOf(count, scatter)
    const values = [...differences.values()]
    const complete = (estimate: Estimate) => withStarts(estimate, startsOfPair({ keepsStacks }), confidence)
    const raw = complete(
      confidence === undefined ? estimateMean(values) : estimateFew(values, scatter, confidence),
    )
    for (const { name, values: logs, slope, spread } of strongestFirst) {
      const variates = differencesOf(logs, own, other)
      if (!candidates.includes(name) || [...differences.keys()].some(block => !variates.has(block))) continue
      const inOrder = [...differences.keys()].map(block => variates.get(block) as number)
      if (dependsOnRow(inOrder, spread)) continue
      const adjusted = complete(estimateAdjusted(values, inOrder, slope, confidence))
      return describeAdjusted(raw, adjusted, { covariate: name, slope: slope.slope }, better)
    }
    return describe(raw, better)
  }
}

/** The confidence of an interval that relies on all rows of the run; undefined if the two rows have enough blocks themselves. */
const confidenceOf = (blocks: number, { degrees }: Scatter) =>
  blocks < LEAST_VALUES || (blocks < MANY_BLOCKS && degrees >= 2 * (blocks - 1)) ? FEW_CONFIDENCE : undefined

function scatterOf(metric: readonly ByBlock[], groups: readonly unknown[]): Scatter {
  const byGroup = [...Map.groupBy(metric.keys(), row => groups[row]).values()]
  const residuals = byGroup.map(rows => takeOutEffects(rows.map(row => metric[row] as ByBlock)))
  const degrees = residuals.reduce((sum, each) => sum + each.degrees, 0)
  const squares = residuals.reduce((sum, each) => sum + productOf(each, each), 0)
  return { variance: squares / Math.max(1, degrees), degrees }
}

function differencesOf(values: readonly ByBlock[], own: number, other: number): ByBlock {
  const others = values[other]
  return new Map(
    [...(values[own] ?? [])].flatMap(([block, value]) => {
      const against = others?.get(block)
      return against === undefined ? [] : [[block, value - against] as const]
    }),
  )
}
