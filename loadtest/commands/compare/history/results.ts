import type { Metric } from '../../../outcome/metrics.ts'
import type { SavedRun } from '../../../outcome/saved-run.ts'
import type { Ratio } from '../../../statistics/ratio.ts'

/** Runs of one machine, in the order of their dates. */
export interface History extends SavedRun {
  readonly kind: 'history'
  readonly settings: SavedRun['settings'] & {
    readonly command: 'history'
    readonly metric: Metric
    readonly scenario: string
  }
  /** The name of the first row of every run, by whose values all others are divided. */
  readonly first: string
  readonly runs: readonly PastRun[]
}

export interface PastRun {
  /** Null when the code was not in a repository. */
  readonly commit: string | null
  readonly date: string
  readonly node: string
  readonly noisy: boolean
  readonly rows: readonly PastRow[]
}

export interface PastRow {
  readonly name: string
  /** The metric of this row over that of the first row, paired within blocks. */
  readonly versusFirst: Ratio
  /** That ratio over the same ratio of the last run before on the same Node.js that has this row; null in the first such run. */
  readonly versusBefore: Ratio | null
}
