import type { RowResult } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { versusBaseline } from '../outcome/summarize.ts'
import { isCheck, isNarrow } from '../statistics/stopping-rule.ts'

/** How far a run has come. */
export interface Stage {
  readonly blocks: number
  /** Since it started or was resumed. */
  readonly spentMs: number
  /** What a block takes; 0 before the first. */
  readonly blockMs: number
  readonly steps: readonly RowResult[]
}

/**
 * Whether another block is wanted: as many as `--rounds` says; or else until what decides of every row against its
 * baseline, mostly main-thread cost, is known narrowly enough, as long as another block fits into the budget. What is
 * looked at is the width of the intervals, never the verdicts.
 */
export function wantsBlock(settings: Settings, { blocks, spentMs, blockMs, steps }: Stage): boolean {
  if (settings.budgetSeconds === null) return blocks < settings.rounds
  if (blocks === 0) return true
  if (spentMs + blockMs > settings.budgetSeconds * 1000) return false
  return !(isCheck(blocks) && isKnown(steps, settings))
}

const isKnown = (
  steps: readonly RowResult[],
  { baseline, narrowPercent, decisive = 'mainThreadMicros' }: Settings,
) =>
  steps.every(row => {
    const comparison = versusBaseline(row, baseline)
    return comparison === null || isNarrow(comparison[decisive].ci95, narrowPercent / 100)
  })
