import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { predict, type Spectrum } from '../spectrum/spectrum.ts'
import { createComparison } from '../statistics/compare-rows.ts'
import type { ByBlock } from '../statistics/control-variate.ts'
import type { Design } from '../statistics/estimate.ts'
import { describeMedian } from '../statistics/median.ts'
import { pairedRatio } from '../statistics/ratio.ts'
import { forEachMetric, metrics } from './metrics.ts'
import type { Comparison, Results, RowResult, Settings } from './results.ts'

export const versusBaseline = ({ versusPrevious, versusFirst }: RowResult, baseline: Settings['baseline']) =>
  baseline === 'previous' ? versusPrevious : versusFirst

/** Only valid samples count, but all are listed. */
export function summarizeRows(
  rows: readonly Row[],
  samples: ReadonlyMap<Row, readonly Sample[]>,
  spectra: ReadonlyMap<Row, Spectrum> = new Map(),
  design: Design = {},
): RowResult[] {
  const of = (row: Row | undefined) => (row && samples.get(row)) ?? []
  const compare = createCompare(rows, rows.map(of), design)
  const spectrumOf = (row: Row | undefined) => (row && spectra.get(row)) ?? null
  const compared = design.looks ? keepShared(rows.map(of)) : keepValid
  const hasNone = (row: Row) => row === firstOf(row, rows)
  return rows.map((row, index) => ({
    ...row,
    samples: of(row),
    ...describe(compared(of(row))),
    versusPrevious: hasNone(row) ? null : compare(row, rows[index - 1]),
    versusFirst: hasNone(row) ? null : compare(row, firstOf(row, rows)),
    spectrum: spectrumOf(row),
    prediction: predict(rows[index - 1], row, spectrumOf(rows[index - 1])),
  }))
}

const keepValid = (samples: readonly Sample[]) => samples.filter(({ valid }) => valid)

/**
 * A run with looks takes more samples of some rows. Medians that are read beside each other are of the blocks that all rows
 * share.
 */
function keepShared(rows: readonly (readonly Sample[])[]): typeof keepValid {
  const blocks = rows
    .map(samples => keepValid(samples).map(({ round }) => round))
    .filter(({ length }) => length > 0)
  const shared = new Set(blocks[0]?.filter(block => blocks.every(own => own.includes(block))))
  return samples => keepValid(samples).filter(({ round }) => shared.size === 0 || shared.has(round))
}

/** The results of a run as the statistics of this version tell them from its samples. */
export const summarizeAgain = (results: Results): Results => ({
  ...results,
  steps: summarizeRows(
    results.steps,
    new Map(results.steps.map(step => [step, step.samples])),
    new Map(results.steps.flatMap(step => (step.spectrum ? [[step, step.spectrum] as const] : []))),
    results.settings,
  ),
})

const firstOf = <R extends Row>({ baseline }: Row, rows: readonly R[]): R | undefined =>
  baseline === undefined ? rows[0] : rows.find(({ name }) => name === baseline)

const describe = (valid: readonly Sample[]) =>
  forEachMetric(metric => describeMedian(valid.map(metrics[metric].of).filter(Number.isFinite)))

function createCompare(
  rows: readonly Row[],
  samples: readonly (readonly Sample[])[],
  { looks, keepsStacks }: Design,
) {
  const groups = rows.map(({ scenario }) => scenario)
  const comparisons = forEachMetric(metric => {
    const { of, better } = metrics[metric]
    const values = samples.map(each => logsByBlock(each, of))
    return createComparison({ metric: values, better, groups, looks, keepsStacks })
  })
  return (own: Row, other: Row | undefined): Comparison =>
    forEachMetric(metric =>
      other
        ? comparisons[metric](rows.indexOf(own), rows.indexOf(other))
        : pairedRatio([], metrics[metric].better),
    )
}

/** Logarithms of a value of the valid samples; a block without such a value has none. */
const logsByBlock = (samples: readonly Sample[], of: (sample: Sample) => number): ByBlock =>
  new Map(
    samples
      .filter(({ valid }) => valid)
      .map(sample => [sample.round, Math.log(of(sample))] as const)
      .filter(([, value]) => Number.isFinite(value)),
  )

export interface Pair {
  readonly row: RowResult
  readonly baseline: RowResult
  readonly comparison: Comparison
}

export const pairsOf = (steps: readonly RowResult[], baseline: Settings['baseline']): Pair[] =>
  steps.flatMap((row, index) => {
    const comparison = versusBaseline(row, baseline)
    const other = baseline === 'previous' ? steps[index - 1] : firstOf(row, steps)
    return comparison && other ? [{ row, baseline: other, comparison }] : []
  })

/** The number of blocks in which both rows have a valid sample. */
export function countPaired({ row, baseline }: Pair): number {
  const blocksOf = ({ samples }: RowResult) =>
    new Set(samples.flatMap(({ valid, round }) => (valid ? round : [])))
  const others = blocksOf(baseline)
  return [...blocksOf(row)].filter(block => others.has(block)).length
}
