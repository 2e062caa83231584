import type { SavedRun } from '../../outcome/saved-run.ts'
import type { Row } from '../../sample/rows.ts'
import type { Sample } from '../../sample/sample.ts'
import type { SampleSettings } from '../../sample/settings.ts'
import type { Interval } from '../../statistics/median.ts'
import type { Verdict } from '../../statistics/verdict.ts'
import type { Trial } from './search.ts'

export interface SloSettings extends SampleSettings {
  readonly command: 'slo'
  readonly arguments: readonly string[]
  readonly rounds: number
  /** The limit of p99, in milliseconds. */
  readonly p99Ms: number
  /** Requests a second of the first sample of each row. */
  readonly firstRate: number
}

/** A sample at one rate, and its decision. It is valid unless it is refused: errors are a finding here. */
export interface SloSample extends Sample {
  readonly ratePerSecond: number
  readonly outcome: Trial['outcome']
}

export interface SloRow extends Pick<Row, 'number' | 'name' | 'composition' | 'app' | 'node' | 'didNotRun'> {
  readonly samples: readonly SloSample[]
  /**
   * `found`: the limit holds at lower rates and fails at higher ones. `never`: it fails at all rates. `always`: it holds
   * up to the highest rate, or to what the load generator can send. `nothing`: no sample says anything.
   */
  readonly finding: 'found' | 'never' | 'always' | 'nothing'
  /**
   * Requests a second. Found: the highest rate at which p99 is within the limit. Never: the lowest rate that was tried.
   * Always: the highest rate that held. Nothing: null.
   */
  readonly ratePerSecond: number | null
  /** Null for too few samples, and unless the rate was found. */
  readonly ci95: Interval | null
  /**
   * This row's rate over that of the first row, or with versions of Node.js of the same step on the first that runs it; null
   * for that row itself, and unless both were found.
   */
  readonly versusFirst: RateRatio | null
}

export interface RateRatio {
  readonly ratio: number
  readonly ci95: Interval | null
  readonly verdict: Verdict
}

export interface SloResults extends SavedRun {
  readonly kind: 'slo'
  readonly settings: SloSettings
  readonly rows: readonly SloRow[]
}
