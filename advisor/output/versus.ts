import type { Column } from '../../lib/cli/columns.ts'
import { formatDuration, percent } from '../../lib/units.ts'
import { wordOf } from '../../lib/verdict.ts'
import { isLook } from '../../loadtest/statistics/looks.ts'
import { median } from '../../loadtest/statistics/median.ts'
import { foreseeEffect } from '../../loadtest/statistics/ratio.ts'
import { START_SCATTER } from '../../loadtest/statistics/thresholds.ts'
import type { Comparison } from '../versus/compare.ts'
import type { Sample } from '../versus/running-side.ts'
import { type Block, names } from '../versus/sample.ts'

/** A side that answers less than this share of the requests that are due does not keep up. */
const KEPT_UP = 0.9
/** Above this, the load generator and not the service may limit the rate. */
const BUSY_GENERATOR = 0.9

export const columns: readonly Column<Comparison>[] = [
  { title: 'median of blocks', cell: ({ measure }) => measure },
  { title: 'before', cell: ({ before }) => formatNumber(before) },
  { title: 'after', cell: ({ after }) => formatNumber(after) },
  { title: 'ratio', cell: ({ ratio: { ratio } }) => ratio?.toFixed(3) ?? '' },
  {
    title: '95 %',
    cell: ({ ratio: { ci95 } }) => formatInterval(ci95),
  },
  { title: 'verdict', cell: ({ ratio, better }) => wordOf(ratio.verdict, better) },
]

export const formatInterval = (ci95: Comparison['ratio']['ci95']) =>
  ci95 ? `[${ci95.map(end => end.toFixed(3)).join(', ')}]` : ''

const formatNumber = (value: number | null) =>
  value === null ? '' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

/** Starting and ending both sides takes about so long. */
const START_MS = 1000
/** The difference whose time is said: the smallest that most users care about. */
const USUAL_EFFECT = 0.05

/** Says which difference a comparison can find, and in which time, on a machine with the usual noise. */
export function promise(times: { budgetMs: number; warmupMs: number; forMs: number }): string {
  const blockMs = START_MS + 2 * (times.warmupMs + times.forMs)
  const blocks = Math.floor(times.budgetMs / blockMs)
  const effectOf = (count: number) => foreseeEffect(2, count, START_SCATTER, { looks: true })
  const least = effectOf(blocks)
  const time = `In ${formatDuration(times.budgetMs)} it takes about ${blocks} blocks`
  if (least === null) return `${time}, too few to find a difference: give it more time with --budget.`
  const isEnough = (count: number) => isLook(2, count) && (effectOf(count) ?? 1) <= USUAL_EFFECT
  const enough = Array.from({ length: blocks }, (_, index) => index + 1).find(isEnough)
  const usual = enough ? `one of 5 % after about ${formatDuration(enough * blockMs)}, and ` : ''
  return `${time}. If these scatter by 3 %, it finds four differences of five: ${usual}at the end those of ${(least * 100).toFixed(1)} %.`
}

/** Remarks on the load. @param rate of an open loop */
export const describeLoad = (blocks: readonly Block[], rate: number | undefined): string[] => [
  ...(rate === undefined ? [] : describeRate(blocks, rate)),
  ...describeGenerator(blocks),
]

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

/** Says which side could not keep up with an open loop. */
const describeRate = (blocks: readonly Block[], rate: number): string[] =>
  names.flatMap(side => {
    const answered = median(blocks.map(block => block[side].responsesPerSecond)) ?? rate
    if (answered >= rate * KEPT_UP) return []
    return `${side} answered ${answered.toFixed(0)} of ${rate} requests a second: it is overloaded, and its times are those of a queue.`
  })

function describeGenerator(blocks: readonly Block[]): string[] {
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
