import type { Row } from '../sample/rows.ts'
import type { Sample, SampleSettings } from '../sample/sample.ts'
import type { Prediction, Spectrum } from '../spectrum/spectrum.ts'
import type { Median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { Environment } from './environment.ts'
import type { Metric } from './metrics.ts'

/** The part of a results file that is the same for every command that measures. */
export interface SavedRun {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: {
    readonly command: string
    readonly rounds: number
    readonly seed: number
    /** Whether samples count however much the machine disturbed them. They are marked then. */
    readonly acceptNoise?: boolean
    /** The flags that measure the same again. */
    readonly arguments: readonly string[]
  }
  /** True when the run was interrupted. */
  readonly partial?: boolean
  /** True when the machine disturbed samples that count; absent where that is not recorded. */
  readonly noisy?: boolean
}

/** The command that measures the same again. */
export const repeatCommand = ({ settings }: Pick<SavedRun, 'settings'>): string =>
  ['npm run loadtest --', settings.command, ...settings.arguments].join(' ')

/** The settings of a run of rows, as its results save them. */
export interface Settings extends SampleSettings {
  readonly command: string
  readonly arguments: readonly string[]
  /** Number of blocks: the number that was asked for or, with a budget, the number that was measured. */
  readonly rounds: number
  /** Null when the number of blocks was given. */
  readonly budgetSeconds: number | null
  /** The time in which the run was promised to end; absent when nothing was promised. */
  readonly promisedSeconds?: number
  /**
   * Whether the run looks at its verdicts, after 2, 3, 4, 6, 9, … blocks of a pair (`statistics/looks.ts`), and then measures
   * only rows of pairs that have none yet. Its intervals are wider in return.
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

/** A run of rows. */
export interface Results extends SavedRun {
  readonly settings: Settings
  readonly steps: readonly RowResult[]
}

/** A run as it is planned: its rows and its settings. */
export interface PlannedRun {
  readonly rows: readonly Row[]
  readonly settings: Settings
  /** Whether each sample has a line of progress, and not only each block. */
  readonly verbose?: boolean
  /**
   * The time on the clock of `performance.now()` from which budget and promise count, because the plan itself took samples;
   * absent if they count from the start of the run.
   */
  readonly startedAtMs?: number
}

/** Whether the apps of the rows run on versions of Node.js of their own. Each is compared with the first of them. */
export const hasVersions = (rows: readonly Pick<Row, 'node'>[]): boolean =>
  rows.some(({ node }) => node !== undefined)

export interface RowResult extends Row, Readonly<Record<Metric, Median>> {
  readonly samples: readonly Sample[]
  /** Ratios to the row above; null for the first row. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
  /** How the main thread's time is split between concerns; null when the row was not profiled. */
  readonly spectrum: Spectrum | null
  /**
   * The largest gain over the row above that the spectrum of that row allows; null when no concern is moved, or that
   * row was not profiled.
   */
  readonly prediction: Prediction | null
}

/** Ratios of this row's values to another row's. */
export type Comparison = Readonly<Record<Metric, Ratio>>
