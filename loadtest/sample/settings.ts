import type { ScenarioName } from '../generator/scenarios.ts'

/** The settings that decide how one sample is taken. */
export interface SampleSettings {
  readonly scenario: ScenarioName
  readonly connections: number
  /** Threads of each pool of the app. */
  readonly threads: number
  readonly warmupSeconds: number
  readonly durationSeconds: number
  readonly seed: number
  /** The scenario of a second load, which runs beside the measured one; null without a second load. */
  readonly beside: ScenarioName | null
  /** Requests a second of the second load; null when a closed loop sends it. */
  readonly besideRate?: number | null
  /** Whether samples count however much the machine disturbed them. They are marked then. */
  readonly acceptNoise?: boolean
  /** The cores that all processes of a row share; null when the system chooses the cores. */
  readonly cores?: readonly number[] | null
  /** Whether main thread, pools and load are kept on cores of their own; absent in results of versions that could not. */
  readonly pin?: boolean
}
