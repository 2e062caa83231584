import type { Judged } from '../../outcome/noisy.ts'
import type { SavedRun } from '../../outcome/saved-run.ts'
import type { Row } from '../../sample/rows.ts'
import type { Median } from '../../statistics/median.ts'
import type { ProcessUse, Use } from './threads.ts'

export interface IdleSettings {
  readonly command: 'idle'
  readonly arguments: readonly string[]
  readonly rounds: number
  /** Seconds after the start of a stack that are not measured, and the measured ones after them. */
  readonly settleSeconds: number
  readonly windowSeconds: number
  readonly seed: number
}

/** The use of one idle stack in one window, a second: each of its processes by its name. */
export interface IdleSample extends Judged {
  readonly round: number
  readonly processes: Readonly<Record<string, ProcessUse>>
}

export interface IdleRow extends Pick<Row, 'number' | 'name' | 'composition' | 'node'> {
  /** Medians of the samples, a second. */
  readonly processes: readonly IdleProcess[]
  readonly samples: readonly IdleSample[]
}

export interface IdleProcess {
  /** The name of the process; `all` for the sum of them. */
  readonly name: string
  readonly mainThread: Readonly<Record<keyof Use, Median>>
  readonly allThreads: Readonly<Record<keyof Use, Median>>
}

export interface IdleResults extends SavedRun {
  readonly kind: 'idle'
  readonly settings: IdleSettings
  readonly rows: readonly IdleRow[]
}
