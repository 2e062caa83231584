import { counted, formatRatio } from '../../outcome/format.ts'
import type { RowResult } from '../../outcome/results.ts'
import { pairSamples } from '../../outcome/summarize.ts'
import type { Sample } from '../../sample/sample.ts'
import { pairedRatio, type Ratio } from '../../statistics/ratio.ts'

/** Slow cores agree with real ones if a ratio of their figures differs from 1 by this at most. */
const ALIKE = 0.1

/** The goodput of a row in slow motion over that of the same stacks at full speed. */
export const versusReal = ({ samples }: Pick<RowResult, 'samples'>): Ratio =>
  pairedRatio(
    samples.filter(({ valid }) => valid).map(sample => [sample.goodput, realGoodputOf(sample)]),
    'higher',
  )

/** NaN if the sample was not compared with real cores. */
export const realGoodputOf = ({ cores }: Sample) => cores?.realGoodput ?? Number.NaN
const gainOf = (sample: Sample) => sample.goodput / realGoodputOf(sample)

interface Compared {
  readonly name: string
  readonly ratio: Ratio
}

/** Says whether slow cores agree with real ones, or that the intervals do not decide it. @param rows of one number of cores */
export function describeValidation(rows: readonly RowResult[]): string {
  const compared = [
    ...rows.map(row => ({ name: row.name, ratio: versusReal(row) })),
    ...rows.flatMap(row => compareWithFirst(row, rows)),
  ]
  const real = counted(rows[0]?.cores?.count ?? 0, 'real core')
  const differing = compared.filter(({ ratio }) => differs(ratio))
  if (differing.length > 0) return `Slow cores differ from ${real} by more than 10 %: ${list(differing)}.`
  const open = compared
    .filter(({ ratio }) => !agrees(ratio))
    .toSorted((one, other) => widthOf(other) - widthOf(one))
  return open.length > 0
    ? `Not decided: ${compared.length - open.length} of ${compared.length} ratios of slow cores to ${real} are within 10 %; the intervals of the others are too wide, most that of ${list(open.slice(0, 1))}.`
    : `Slow cores agree with ${real} within 10 %: in the goodput of each step and in its ratio to the first step, at each speed.`
}

/** How the ratio of a step to the first one, at the same speed, compares with that on real cores. */
function compareWithFirst(row: RowResult, rows: readonly RowResult[]): Compared[] {
  const first = rows.find(({ cores }) => cores?.speed === row.cores?.speed) as RowResult
  if (row === first) return []
  const pairs = pairSamples(row.samples, first.samples)
  const ratio = pairedRatio(
    pairs.map(([own, other]) => [gainOf(own), gainOf(other)]),
    'higher',
  )
  return [{ name: `${row.name} against ${first.name.replace(/ at .*$/, '')}`, ratio }]
}

const agrees = ({ ci95 }: Ratio) => ci95 !== null && ci95[0] >= 1 - ALIKE && ci95[1] <= 1 + ALIKE
const differs = ({ ci95 }: Ratio) => ci95 !== null && (ci95[0] > 1 + ALIKE || ci95[1] < 1 - ALIKE)

const widthOf = ({ ratio: { ci95 } }: Compared) => (ci95 ? ci95[1] / ci95[0] : Number.POSITIVE_INFINITY)

const list = (compared: readonly Compared[]) =>
  compared.map(({ name, ratio }) => `${name} × ${formatRatio(ratio, 2)}`).join(', ')
