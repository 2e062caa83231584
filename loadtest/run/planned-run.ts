import type { Calibration, Results } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import type { Row } from '../sample/rows.ts'

/** A run as it is planned: its rows, its settings and, when it resumes, the results of the interrupted run. */
export interface PlannedRun {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly earlier?: Results
  readonly calibration?: Calibration
}
