import type { SavedRun } from '../outcome/saved-run.ts'
import type { Interval, Median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { Axes, Cell } from './cells.ts'
import type { Crossing } from './crossing.ts'
import type { CellReport, Hop, HopReport, IdleReport, StartName, StartReport } from './protocol.ts'

export interface BreakEvenSettings extends Axes {
  readonly command: 'break-even'
  /** The flags that measure the same again; absent in results of versions that did not save them. */
  readonly arguments?: readonly string[]
  readonly threads: number
  readonly rounds: number
  /** Of each of the two windows of a cell: what it costs, what its neighbours wait. */
  readonly windowMs: number
  readonly seed: number
  /** Work that was found to take a microsecond of an undisturbed core. */
  readonly iterationsPerMicro: number
}

/** One process that was measured. A sample that was refused is followed by its repetition. */
export type Sample<Report> = Report & {
  readonly round: number
  readonly valid: boolean
  readonly reason: string | null
}

export interface BreakEvenResults extends SavedRun {
  readonly kind: 'break-even'
  /** Whether it was interrupted before its last round was complete. */
  readonly partial: boolean
  readonly settings: BreakEvenSettings
  readonly cells: readonly CellResult[]
  readonly crossings: readonly CrossingResult[]
  readonly hops: readonly HopResult[]
  /** Messages a second of a thread over those of a process, the smallest string, with JSON. */
  readonly threadOverProcess: { readonly messagesPerSecond: Ratio }
  readonly starts: readonly StartResult[]
  /** Where no task is asked for. */
  readonly idle: { readonly neighbourP99Ms: Median; readonly samples: readonly Sample<IdleReport>[] }
}

/** Medians of valid samples, with their intervals by rank. */
export interface CellResult extends Cell, Readonly<Record<CellMetric, Median>> {
  readonly samples: readonly Sample<CellReport>[]
}

/** Micros are CPU microseconds a task. */
export const cellMetrics = {
  mainThreadMicros: (sample: CellReport) => sample.mainThreadMicros,
  totalMicros: (sample: CellReport) => sample.totalMicros,
  tasksPerSecond: (sample: CellReport) => sample.tasksPerSecond,
  /** Of the task itself. */
  latencyP99Ms: (sample: CellReport) => sample.latencyMs.p99,
  /** Of what else came for the main thread. */
  neighbourP99Ms: (sample: CellReport) => sample.neighbourDelayMs.p99,
} as const

export type CellMetric = keyof typeof cellMetrics
export const cellMetricNames = Object.keys(cellMetrics) as CellMetric[]

/** By what it is judged whether a task should leave. */
export const crossingMetrics = ['mainThreadMicros', 'neighbourP99Ms'] as const satisfies readonly CellMetric[]

/** From which length on `compute` is better than `inline`, for one payload and concurrency. */
export interface CrossingResult extends Crossing {
  readonly metric: (typeof crossingMetrics)[number]
  readonly compute: Cell['compute']
  readonly payloadBytes: number
  readonly concurrency: number
  /** The shortest and the longest length that were measured. */
  readonly rangeMicros: Interval
}

export interface HopResult extends Hop {
  /** Of both directions: twice the round trips. */
  readonly messagesPerSecond: Median
  /** A round trip. */
  readonly mainThreadMicros: Median
  readonly samples: readonly Sample<HopReport>[]
}

export interface StartResult {
  readonly name: StartName
  readonly startMs: Median
  /** What another one adds; null where the system does not tell. */
  readonly proportionalBytes: Median | null
  readonly residentBytes: Median | null
  readonly samples: readonly Sample<StartReport>[]
}
