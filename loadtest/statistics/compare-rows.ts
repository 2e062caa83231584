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
import { type Design, type Estimate, estimateFew, type Scatter, withStarts } from './estimate.ts'
import { confidenceOfLook } from './looks.ts'
import { describe, describeAdjusted, pairedRatio, type Ratio } from './ratio.ts'
import { FEW_CONFIDENCE, LEAST_VALUES, MANY_BLOCKS } from './thresholds.ts'

/** One metric of a run. All values are logarithms, by row and block. */
export interface RunValues extends Design {
  readonly metric: readonly ByBlock[]
  /** What follows the speed of the machine as the metric does; its slope if that is known from more than these values. */
  readonly covariate?: { readonly values: readonly ByBlock[]; readonly slope?: Slope | null } | undefined
  readonly better: 'lower' | 'higher'
  /** What the rows are measured with, such as their scenario: blocks of each have effects of their own. */
  readonly groups?: readonly unknown[]
}

/** @returns a function that compares two rows, given by their place in the run */
export type CompareRows = (own: number, other: number) => Ratio

/** Prepares to compare two rows: estimates, from all rows of the run, their scatter and how they follow the covariate. */
export function createComparison(run: RunValues): CompareRows {
  const { metric, covariate, better, looks, keepsStacks, groups = [] } = run
  const scatter = scatterOf(metric, groups)
  const rows = metric.filter(({ size }) => size > 0).length
  const slope = covariate && (covariate.slope ?? fitSlope(metric, covariate.values))

  return (own, other) => {
    const differences = differencesOf(metric, own, other)
    const count = differences.size
    if (count === 0) return pairedRatio([], better)
    const confidence = looks ? confidenceOfLook(rows, count) : confidenceOf(count, scatter)
    const values = [...differences.values()]
    const complete = (estimate: Estimate) => withStarts(estimate, keepsStacks ? 2 : 0, confidence)
    const raw = complete(
      confidence === undefined ? estimateMean(values) : estimateFew(values, scatter, confidence),
    )
    if (!covariate || !slope || strengthOf(slope) < 1) return describe(raw, better)
    const variates = differencesOf(covariate.values, own, other)
    const inOrder = [...differences.keys()].flatMap(block => variates.get(block) ?? [])
    if (inOrder.length < count || dependsOnRow(inOrder, scatterOf(covariate.values, groups)))
      return describe(raw, better)
    const adjusted = complete(estimateAdjusted(values, inOrder, slope, confidence))
    return describeAdjusted(raw, adjusted, slope.slope, better)
  }
}

/** Of an interval that relies on all rows of the run; undefined if the two rows have enough blocks themselves. */
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
