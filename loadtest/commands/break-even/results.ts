import type { TaskName } from '../../../workers/tasks.ts'
import type { SavedRun } from '../../outcome/saved-run.ts'
import type { Interval, Median } from '../../statistics/median.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import type { Axes, Cell } from './cells.ts'
import type { Crossing } from './crossing.ts'
import type { CellReport, Hop, HopReport, IdleReport, StartName, StartReport } from './protocol.ts'

export interface BreakEvenSettings extends Axes {
  readonly command: 'break-even'
  /** The flags that measure the same again; absent in results of versions that did not save them. */
  readonly arguments?: readonly string[]
  /** The task of the app that was measured; absent for the loop. */
  readonly task?: TaskName
  readonly threads: number
  readonly rounds: number
  /** Length of each of the two windows of a cell: one measures its cost, the other the delay of its neighbours. */
  readonly windowMs: number
  readonly seed: number
  /** Number of iterations of the task that take a microsecond on an undisturbed core. */
  readonly iterationsPerMicro: number
  /** Whether samples count however much the machine disturbed them. They are marked then. */
  readonly acceptNoise?: boolean
  /** The time in which the run was promised to end; absent when nothing was promised. */
  readonly promisedSeconds?: number
}

/** The measurement of one process. A refused sample is followed by its repetition. */
export type Sample<Report> = Report & {
  readonly round: number
  readonly valid: boolean
  readonly reason: string | null
  /** How the machine disturbed the sample; null when it did not, absent in results of versions that did not save it. */
  readonly noise?: string | null
}

export interface BreakEvenResults extends SavedRun {
  readonly kind: 'break-even'
  /** Whether the run was interrupted before its last round was complete. */
  readonly partial: boolean
  readonly settings: BreakEvenSettings
  readonly cells: readonly CellResult[]
  readonly crossings: readonly CrossingResult[]
  readonly hops: readonly HopResult[]
  /** Ratio of the messages a second of a thread to those of a process, for the smallest string. */
  readonly threadOverProcess: { readonly messagesPerSecond: Ratio }
  readonly starts: readonly StartResult[]
  /** Measurement without any task. */
  readonly idle: { readonly neighbourP99Ms: Median; readonly samples: readonly Sample<IdleReport>[] }
}

/** Medians of valid samples, with their intervals by rank. */
export interface CellResult extends Cell, Readonly<Record<CellMetric, Median>> {
  readonly samples: readonly Sample<CellReport>[]
}

/** The metrics of a cell. Micros are CPU microseconds a task. */
export const cellMetrics = {
  mainThreadMicros: (sample: CellReport) => sample.mainThreadMicros,
  /** Latency of the task itself. */
  latencyP99Ms: (sample: CellReport) => sample.latencyMs.p99,
  /** Delay of other work for the main thread. */
  neighbourP99Ms: (sample: CellReport) => sample.neighbourDelayMs.p99,
} as const

export type CellMetric = keyof typeof cellMetrics
export const cellMetricNames = Object.keys(cellMetrics) as CellMetric[]

/** The metrics that decide whether a task should leave the main thread. */
export const crossingMetrics = ['mainThreadMicros', 'neighbourP99Ms'] as const satisfies readonly CellMetric[]

/** The length from which on `compute` is better than `inline`, for one payload and concurrency. */
export interface CrossingResult extends Crossing {
  readonly metric: (typeof crossingMetrics)[number]
  readonly compute: Cell['compute']
  readonly payloadBytes: number
  readonly concurrency: number
  /** The shortest and the longest length that were measured. */
  readonly rangeMicros: Interval
}

export interface HopResult extends Hop {
  readonly samples: readonly Sample<HopReport>[]
}

export interface StartResult {
  readonly name: StartName
  readonly startMs: Median
  /** Memory that one more adds; null when the system does not tell. */
  readonly proportionalBytes: Median | null
  readonly residentBytes: Median | null
  readonly samples: readonly Sample<StartReport>[]
}
