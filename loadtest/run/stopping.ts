import type { RowResult } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { versusBaseline } from '../outcome/summarize.ts'
import type { Sample } from '../sample/sample.ts'
import { isCheck, isNarrow } from '../statistics/stopping-rule.ts'

/** The progress of a run. */
export interface RunState {
  readonly blocks: number
  /** Time since the run started or was resumed. */
  readonly spentMs: number
  /** Duration of a block; 0 before the first. */
  readonly blockMs: number
  /** Duration of a sample, with the start and the end of its stack; 0 before the first. */
  readonly sampleMs: number
  readonly steps: readonly RowResult[]
}

/**
 * Whether the run needs another block. With `--rounds` it takes exactly that many. With a budget it goes on until the
 * decisive ratio of every row to its baseline, mostly that of main-thread cost, is known narrowly enough, or until
 * another block would exceed the budget. This depends on the width of the intervals, never on the verdicts.
 */
export function wantsBlock(settings: Settings, { blocks, spentMs, blockMs, steps }: RunState): boolean {
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

/** A refused sample is taken again at most this often. */
export const MAX_REPETITIONS = 3

/** Whether a row with these samples still needs one in this block. */
export function isOpen(samples: readonly Pick<Sample, 'round' | 'valid'>[], block: number): boolean {
  const taken = samples.filter(({ round }) => round === block)
  return taken.length <= MAX_REPETITIONS && !taken.some(({ valid }) => valid)
}
