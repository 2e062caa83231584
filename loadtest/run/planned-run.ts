import type { Results } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import type { Row } from '../sample/rows.ts'

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
