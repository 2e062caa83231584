import { counted, formatRatio } from '../../outcome/format.ts'
import type { RowResult } from '../../outcome/results.ts'
import { pairSamples } from '../../outcome/summarize.ts'
import { createComparison } from '../../statistics/compare-rows.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import type { ByBlock } from '../../statistics/two-way.ts'

/** Slow cores agree with real ones if a ratio of their figures differs from 1 by this at most. */
const ALIKE = 0.1

interface Compared {
  readonly name: string
  readonly ratio: Pick<Ratio, 'ratio' | 'ci95'>
}

/** Says whether slow cores agree with real ones, or that the intervals do not decide it. @param rows of one number of cores */
export function describeValidation(rows: readonly RowResult[]): string {
  const groups = [...Map.groupBy(rows, ({ baseline }) => baseline).values()]
  const compared = [
    ...groups.flatMap(compareGoodput),
    ...groups.slice(1).flatMap(group => compareSteps(group, groups[0] ?? [])),
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

const agrees = ({ ci95 }: Compared['ratio']) => ci95 !== null && ci95[0] >= 1 - ALIKE && ci95[1] <= 1 + ALIKE
const differs = ({ ci95 }: Compared['ratio']) => ci95 !== null && (ci95[0] > 1 + ALIKE || ci95[1] < 1 - ALIKE)

const widthOf = ({ ratio: { ci95 } }: Compared) => (ci95 ? ci95[1] / ci95[0] : Number.POSITIVE_INFINITY)

const list = (compared: readonly Compared[]) =>
  compared.map(({ name, ratio }) => `${name} × ${formatRatio(ratio, 2)}`).join(', ')

const at = ({ cores }: RowResult) => `at ${(cores?.speed ?? 1) * 100} %`
const stepOf = (row: RowResult) => row.name.replace(/ on .*$/, '')

const compareGoodput = ([, ...slow]: readonly RowResult[]): Compared[] =>
  slow.flatMap(row =>
    row.versusFirst ? [{ name: `goodput of ${stepOf(row)} ${at(row)}`, ratio: row.versusFirst.goodput }] : [],
  )

/** How the ratio of a step to the first one at each speed compares with that on real cores. */
function compareSteps(own: readonly RowResult[], first: readonly RowResult[]): Compared[] {
  const metric = own.map((row, index) => gainsOf(row, first[index]))
  const compare = createComparison({ metric, covariates: {}, better: 'higher' })
  return own.slice(1).map((row, index) => ({
    name: `${stepOf(row)} against ${stepOf(first[0] as RowResult)} ${at(row)}`,
    ratio: compare(index + 1, 0, []),
  }))
}

/** Logarithms of the ratio of goodput by block. */
const gainsOf = ({ samples }: RowResult, first: RowResult | undefined): ByBlock =>
  new Map(
    pairSamples(samples, first?.samples ?? []).map(([own, other]) => [
      own.round,
      Math.log(own.goodput / other.goodput),
    ]),
  )
