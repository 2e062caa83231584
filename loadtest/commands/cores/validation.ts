import { counted, formatRatio } from '../../outcome/format.ts'
import type { RowResult } from '../../outcome/results.ts'
import { pairSamples } from '../../outcome/summarize.ts'
import type { Sample } from '../../sample/sample.ts'
import type { Interval } from '../../statistics/median.ts'
import { pairedRatio, type Ratio } from '../../statistics/ratio.ts'

/** The goodput of some rows in slow motion over that of the same stacks at full speed. */
export const versusReal = (rows: readonly Pick<RowResult, 'samples'>[]): Ratio =>
  pairedRatio(
    rows
      .flatMap(({ samples }) => samples.filter(({ valid }) => valid))
      .map(sample => [sample.goodput, realGoodputOf(sample)]),
    'higher',
  )

/** NaN if the sample was not compared with real cores. */
export const realGoodputOf = ({ cores }: Sample) => cores?.realGoodput ?? Number.NaN
const gainOf = (sample: Sample) => sample.goodput / realGoodputOf(sample)

/**
 * Says how slow cores compare with real ones at each speed, over all steps.
 * @param rows of one number of cores
 */
export function describeValidation(rows: readonly RowResult[]): string {
  const real = counted(rows[0]?.cores?.count ?? 0, 'real core')
  const speeds = [...Map.groupBy(rows, row => row.cores?.speed ?? 1)].map(
    ([speed, each]) => `${formatRatio(versusReal(each), 2)} at ${speed * 100} %`,
  )
  const gains = gainsVersusReal(rows)
  const ofGains =
    gains.ratio === null ? '' : `; their ratios to the first step are ${formatRatio(gains, 2)} of those there`
  return `All steps together serve, of what they do on ${real}, ${speeds.join(', ')}${ofGains}.`
}

/** How the ratios of all steps to the first one, at the same speed, compare with those on real cores. */
export const gainsVersusReal = (rows: readonly RowResult[]): Ratio =>
  pairedRatio(
    rows.flatMap(row => pairWithFirst(row, rows)),
    'higher',
  )

const firstOf = ({ cores }: RowResult, rows: readonly RowResult[]) =>
  rows.find(row => row.cores?.speed === cores?.speed) as RowResult

function pairWithFirst(row: RowResult, rows: readonly RowResult[]): Interval[] {
  const first = firstOf(row, rows)
  if (row === first) return []
  return pairSamples(row.samples, first.samples).map(([own, other]) => [gainOf(own), gainOf(other)])
}
