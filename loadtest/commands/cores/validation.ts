import { counted, formatRatio } from '../../outcome/format.ts'
import type { RowResult } from '../../outcome/results.ts'
import { pairSamples } from '../../outcome/summarize.ts'
import type { Sample } from '../../sample/sample.ts'
import type { Interval } from '../../statistics/median.ts'
import { pairedRatio, type Ratio } from '../../statistics/ratio.ts'

/** Slow cores agree with real ones if a ratio of their figures differs from 1 by this at most. */
const ALIKE = 0.1

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

interface Compared {
  readonly name: string
  readonly ratio: Ratio
}

/**
 * Says how slow cores compare with real ones at each speed, over all steps, and whether each step agrees, or the intervals do not
 * decide it.
 * @param rows of one number of cores
 */
export function describeValidation(rows: readonly RowResult[]): string {
  const real = counted(rows[0]?.cores?.count ?? 0, 'real core')
  const speeds = [...Map.groupBy(rows, row => row.cores?.speed ?? 1)].map(
    ([speed, each]) => `${formatRatio(versusReal(each), 2)} at ${speed * 100} %`,
  )
  const compared = [
    ...rows.map(row => ({ name: row.name, ratio: versusReal([row]) })),
    ...rows.flatMap(row => compareWithFirst(row, rows)),
  ]
  return `All steps together serve, of what they do on ${real}, ${speeds.join(', ')}. ${judge(compared)}`
}

function judge(compared: readonly Compared[]): string {
  const count = (some: readonly Compared[]) => `${some.length} of ${compared.length} ratios`
  const differing = compared.filter(({ ratio }) => differs(ratio))
  const agreeing = compared.filter(({ ratio }) => agrees(ratio))
  if (differing.length > 0) return `${count(differing)} differ from 1 by more than 10 %: ${list(differing)}.`
  if (agreeing.length === compared.length)
    return 'The goodput of each step, and its ratio to the first step, agree within 10 % at each speed.'
  return `Not decided for each step: ${count(agreeing)} are within 10 %, and the intervals of the others are too wide.`
}

/** How the ratios of all steps to the first one, at the same speed, compare with those on real cores. */
export const gainsVersusReal = (rows: readonly RowResult[]): Ratio =>
  pairedRatio(
    rows.flatMap(row => pairWithFirst(row, rows)),
    'higher',
  )

function compareWithFirst(row: RowResult, rows: readonly RowResult[]): Compared[] {
  const first = firstOf(row, rows)
  if (row === first) return []
  const ratio = pairedRatio(pairWithFirst(row, rows), 'higher')
  return [{ name: `${row.name} against ${first.name.replace(/ at .*$/, '')}`, ratio }]
}

const firstOf = ({ cores }: RowResult, rows: readonly RowResult[]) =>
  rows.find(row => row.cores?.speed === cores?.speed) as RowResult

function pairWithFirst(row: RowResult, rows: readonly RowResult[]): Interval[] {
  const first = firstOf(row, rows)
  if (row === first) return []
  return pairSamples(row.samples, first.samples).map(([own, other]) => [gainOf(own), gainOf(other)])
}

const agrees = ({ ci95 }: Ratio) => ci95 !== null && ci95[0] >= 1 - ALIKE && ci95[1] <= 1 + ALIKE
const differs = ({ ci95 }: Ratio) => ci95 !== null && (ci95[0] > 1 + ALIKE || ci95[1] < 1 - ALIKE)

const list = (compared: readonly Compared[]) =>
  compared.map(({ name, ratio }) => `${name} × ${formatRatio(ratio, 2)}`).join(', ')
