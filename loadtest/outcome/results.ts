import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { Next, Prediction } from '../spectrum/prediction.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import type { Median } from '../statistics/median.ts'
import type { Outlier } from '../statistics/outliers.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { Metric } from './metrics.ts'
import type { SavedRun } from './saved-run.ts'
import type { Settings } from './settings.ts'

/** A run of rows. */
export interface Results extends SavedRun {
  readonly settings: Settings
  readonly steps: readonly RowResult[]
  /** How the size of the pools was chosen; absent when it was given. */
  readonly calibration?: Calibration
}

export interface RowResult extends Row, Readonly<Record<Metric, Median>> {
  readonly samples: readonly LabelledSample[]
  /** Good responses a second that the main threads alone would allow, had all others cores of their own: a model. */
  readonly ceiling: Median
  /** Against the row above; null for the first. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
  /** What its main thread is busy with; null where nobody looked. */
  readonly spectrum: Spectrum | null
  /** What the spectrum of the row above lets this one gain at most; null where it moves nothing, or nobody looked. */
  readonly prediction: Prediction | null
  /** What it would pay most to move from here; null where nobody looked. */
  readonly next: Next | null
}

export interface LabelledSample extends Sample {
  /** By main-thread cost among the row's valid samples. It counts all the same. */
  readonly outlier: Outlier | null
}

/** This row's value over the other's. */
export type Comparison = Readonly<Record<Metric, Ratio>>

/** How the size of a pool was chosen: by what each size answered. */
export interface Calibration {
  readonly sizes: readonly {
    readonly threads: number
    /** Good responses a second, of each sample; those that were refused are left out. */
    readonly goodput: readonly number[]
  }[]
  /** The size with the best median. */
  readonly chosen: number
}
