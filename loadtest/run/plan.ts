import type { Calibration, Results } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import type { Row } from '../sample/rows.ts'

/** What is to be measured: rows, how, and what is known of them from a run that was interrupted. */
export interface Plan {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly earlier?: Results
  readonly calibration?: Calibration
}
