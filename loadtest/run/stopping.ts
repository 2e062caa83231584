import type { RowResult, Settings } from '../outcome/results.ts'
import { countPaired, type Pair, pairsOf, versusBaseline } from '../outcome/summarize.ts'
import { firstLook, isCheck, isLook, isNarrow } from '../statistics/looks.ts'
import { NARROW } from '../statistics/thresholds.ts'
import type { RunState } from './measure.ts'

interface RowsState extends RunState {
  readonly steps: readonly RowResult[]
}

/**
 * Whether the run needs another block. With a budget it goes on until the decisive ratio of every row to its baseline is known
 * narrowly, or another block would exceed the budget. This depends on the width of intervals, never on verdicts.
 */
export function wantsBlock(settings: Settings, { blocks, spentMs, blockMs, steps }: RowsState): boolean {
  if (settings.budgetSeconds === null) return blocks < settings.rounds
  if (blocks === 0) return true
  if (spentMs + blockMs > settings.budgetSeconds * 1000) return false
  return !(isCheck(blocks) && isKnown(steps, settings))
}

const isKnown = (steps: readonly RowResult[], { baseline, decisive = 'mainThreadMicros' }: Settings) =>
  steps.every(row => {
    const comparison = versusBaseline(row, baseline)
    return comparison === null || isNarrow(comparison[decisive].ci95, NARROW)
  })

/**
 * The names of the rows of the next block of a run with looks: all until the first look, then those of the open pair that is
 * nearest to a verdict and of all that are at least half as near, as far as the time allows. None when everything is decided,
 * or the budget is spent.
 */
export function chooseRows(
  settings: Pick<Settings, 'baseline' | 'decisive' | 'budgetSeconds'>,
  { blocks, spentMs, sampleMs, steps }: Omit<RowsState, 'blockMs'>,
): ReadonlySet<string> {
  if (blocks < firstLook(steps.length)) return new Set(steps.map(({ name }) => name))
  const leftMs = (settings.budgetSeconds ?? Number.POSITIVE_INFINITY) * 1000 - spentMs
  const most = Math.floor(leftMs / sampleMs)
  const open = listUndecided(steps, settings).toSorted((one, other) => nearness(other) - nearness(one))
  const nearest = open[0] ? nearness(open[0]) : 0
  const chosen = new Set<string>()
  for (const { row, baseline } of open.filter(pair => nearness(pair) >= nearest / 2)) {
    const added = [row.name, baseline.name].filter(name => !chosen.has(name))
    if (chosen.size + added.length <= most) for (const name of added) chosen.add(name)
  }
  return chosen
}

/** The pairs of a run whose verdict is open. Between two looks no verdict counts. */
export const listUndecided = (
  steps: readonly RowResult[],
  { baseline, decisive = 'mainThreadMicros' }: Pick<Settings, 'baseline' | 'decisive'>,
) =>
  pairsOf(steps, baseline)
    .map(pair => ({ ...pair, ratio: pair.comparison[decisive] }))
    .filter(pair => !isLook(steps.length, countPaired(pair)) || pair.ratio.verdict === 'inconclusive')

/** How large a difference is found to be, in half widths of its interval; 1 is a verdict. */
function nearness({ ratio: { ratio, ci95 } }: Pair & { ratio: Pair['comparison']['mainThreadMicros'] }) {
  return ratio === null || ci95 === null ? 0 : Math.abs(Math.log(ratio)) / (Math.log(ci95[1] / ci95[0]) / 2)
}
