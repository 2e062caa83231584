import { type Column, explained, renderColumns } from '../../lib/cli/columns.ts'
import { percent } from '../../lib/units.ts'
import { wordOf } from '../../lib/verdict.ts'
import type { Comparison } from '../versus/compare.ts'
import type { Block, Sample } from '../versus/running-side.ts'
import { printAnswer } from './render.ts'

/** Above this, the load generator and not the service may limit the rate. */
const BUSY_GENERATOR = 0.9

const columns: readonly Column<Comparison>[] = [
  { title: 'median of blocks', cell: ({ measure }) => measure },
  { title: 'before', cell: ({ before }) => formatNumber(before) },
  { title: 'after', cell: ({ after }) => formatNumber(after) },
  { title: 'ratio', cell: ({ ratio: { ratio } }) => ratio?.toFixed(3) ?? '' },
  { title: '95 %', cell: ({ ratio: { ci95 } }) => formatInterval(ci95) },
  { title: 'verdict', cell: ({ ratio, better }) => wordOf(ratio.verdict, better) },
]

/** Prints comparisons, with lines above and remarks below them. */
export function printComparisons(
  isJson: boolean,
  heading: string,
  answer: { readonly comparisons: readonly Comparison[]; readonly remarks: readonly string[] },
): void {
  const table = explained(renderColumns)(answer.comparisons, columns)
  const text = `${heading}\n\n${table}\n\n${answer.remarks.join('\n')}\n`
  printAnswer(isJson, { schemaVersion: 1, ...answer }, text)
}

export const formatInterval = (ci95: Comparison['ratio']['ci95']) =>
  ci95 ? `[${ci95.map(end => end.toFixed(3)).join(', ')}]` : ''

const formatNumber = (value: number | null) =>
  value === null ? '' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

/** Says which ratios are without the part of the noise that the load generator shows. */
export const describeAdjusted = (comparisons: readonly Comparison[]): string[] =>
  comparisons.flatMap(({ measure, ratio: { adjustment } }) => {
    if (!adjustment?.decides) return []
    const { ratio, ci95 } = adjustment.raw
    return `${measure}: noise that the CPU time of the load generator shows is taken out; with it, the ratio is ${ratio?.toFixed(3)} ${formatInterval(ci95)}.`
  })

/** Says what a comparison that cannot tell a difference would mostly have found. */
export function describeOpen([decisive]: readonly Comparison[]): string[] {
  const { verdict, smallestDetectableEffect } = decisive?.ratio ?? {}
  if (verdict !== 'inconclusive' || !smallestDetectableEffect) return []
  return [
    `Cannot tell ${decisive?.measure}: this comparison finds ${percent(smallestDetectableEffect)} or more; a longer one (--budget) finds less.`,
  ]
}

/** Says that the load generator, and not a service, may have limited the rate. */
export function describeLoad(blocks: readonly Block[]): string[] {
  const samples = blocks.flatMap(({ before, after }) => [before, after])
  const busiest = Math.max(...samples.map(({ generatorUtilization }) => generatorUtilization))
  if (busiest <= BUSY_GENERATOR) return []
  return [
    `The load generator was up to ${(busiest * 100).toFixed(0)} % busy, so responses/s may be its limit; CPU time is not affected.`,
  ]
}

/** The figures of a block for `--json`. */
export const toJson = ({ before, after }: Block) => ({ before: figuresOf(before), after: figuresOf(after) })

const figuresOf = ({ turns, bodies, ...figures }: Sample) => ({ ...figures, bodies: bodies.size })
