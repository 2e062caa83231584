import type { SampleSettings } from '../sample/settings.ts'
import type { Metric } from './metrics.ts'

/** The settings of a run of rows, as its results save them. */
export interface Settings extends SampleSettings {
  readonly command: string
  /** The flags that measure the same again; absent in results of versions that did not save them. */
  readonly arguments?: readonly string[]
  /** Number of blocks: the number that was asked for or, with a budget, the number that was measured. */
  readonly rounds: number
  /** Null when the number of blocks was given. */
  readonly budgetSeconds: number | null
  readonly narrowPercent: number
  /** The time in which the run was promised to end; absent when nothing was promised. */
  readonly promisedSeconds?: number
  /**
   * Whether the run looks at its verdicts, after 2, 3, 4, 6, 9, … blocks of a pair (`statistics/looks.ts`), and then measures
   * only rows of pairs that have none yet. Its intervals are wider in return. Absent in results of versions that never looked.
   */
  readonly looks?: boolean
  /**
   * Whether every row has one stack for the whole run, and its samples are windows of that. Absent when each sample has a fresh
   * stack.
   */
  readonly keepsStacks?: boolean
  /** Whether each row is profiled, apart from its samples. */
  readonly spectrum: boolean
  /** The metric whose ratios must be known narrowly before a run may end early; main-thread cost when absent. */
  readonly decisive?: Metric
  /** Good responses a second of the first row in a closed loop, sample by sample, when loads were shares of that. */
  readonly capacity?: readonly number[]
  /** The row that each row is compared with to decide when the run may stop. */
  readonly baseline: 'previous' | 'first'
}
