import type { Row } from '../sample/rows.ts'
import type { Sample, SampleSettings } from '../sample/sample.ts'
import type { Prediction, Spectrum } from '../spectrum/spectrum.ts'
import type { Median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { Environment } from './environment.ts'
import type { Metric } from './metrics.ts'

/** The fields that the results of every command have. */
export interface SavedRun {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: {
    readonly command: string
    readonly rounds: number
    readonly seed: number
    /** They are marked then. */
    readonly acceptNoise?: boolean
    readonly arguments: readonly string[]
  }
  readonly partial?: boolean
  /** True when the machine disturbed samples that count; absent where that is not recorded. */
  readonly noisy?: boolean
}

export const repeatCommand = ({ settings }: Pick<SavedRun, 'settings'>): string =>
  ['npm run loadtest --', settings.command, ...settings.arguments].join(' ')

export interface Settings extends SampleSettings {
  readonly command: string
  readonly arguments: readonly string[]
  /** That was asked for or, with a budget, was measured. */
  readonly rounds: number
  /** Null when the number of blocks was given. */
  readonly budgetSeconds: number | null
  /** Whether the run looks at its verdicts (`statistics/looks.ts`), and then measures only rows of pairs that have none yet. */
  readonly looks?: boolean
  /** Whether every row has one stack for the whole run, and its samples are windows of that. */
  readonly keepsStacks?: boolean
  readonly spectrum: boolean
  /** Its ratios must be known narrowly before a run may end early; main-thread cost when absent. */
  readonly decisive?: Metric
  /** Of the first row in a closed loop, sample by sample, when loads were shares of that. */
  readonly capacity?: readonly number[]
  /** The row with which each other row is compared, to decide when the run may stop. */
  readonly baseline: 'previous' | 'first'
}

export interface Results extends SavedRun {
  readonly settings: Settings
  readonly steps: readonly RowResult[]
}

export interface PlannedRun {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly verbose?: boolean
  /**
   * From this time of `performance.now()`, the budget counts, because the plan took samples; the start of the run when absent.
   */
  readonly startedAtMs?: number
}

export interface RowResult extends Row, Readonly<Record<Metric, Median>> {
  readonly samples: readonly Sample[]
  /** Ratios to the row above; null for the first row. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
  /** Null when the row was not profiled. */
  readonly spectrum: Spectrum | null
  /** Null when no concern is moved, or the row above was not profiled. */
  readonly prediction: Prediction | null
}

export type Comparison = Readonly<Record<Metric, Ratio>>
