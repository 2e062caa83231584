import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { Next, Prediction } from '../spectrum/prediction.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import type { Median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { Metric } from './metrics.ts'
import type { SavedRun } from './saved-run.ts'
import type { Settings } from './settings.ts'

/** A run of rows. */
export interface Results extends SavedRun {
  readonly settings: Settings
  readonly steps: readonly RowResult[]
}

/** A run as it is planned: its rows, its settings and, when it resumes, the results of the interrupted run. */
export interface PlannedRun {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly earlier?: Results
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
  /**
   * Good responses a second that the main threads would allow if all other threads had cores of their own. This is a
   * model.
   */
  readonly ceiling: Median
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
  /** The concern whose move would save most from here; null when the row was not profiled. */
  readonly next: Next | null
}

/** Ratios of this row's values to another row's. */
export type Comparison = Readonly<Record<Metric, Ratio>>
