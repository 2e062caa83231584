import type { Latency } from '../generator/protocol.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import type { PerPart } from './demands.ts'

export interface PlanSettings {
  readonly command: 'plan'
  readonly arguments: readonly string[]
  readonly rounds: number
  readonly seed: number
  readonly connections: number
  /** Number of cores that clients and upstream have of their own; null if they share those of the app. */
  readonly apart: number | null
}

/** The run that the model is made of. */
export interface PlanSource {
  readonly file: string
  readonly date: string
  readonly commit: string | null
  readonly cpu: string
  readonly cores: number
  readonly scenario: ScenarioName
  readonly noisy: boolean
}

/** The figures that no run contains and that are fitted to it. They are the same for all steps. */
export interface FittedFigures {
  /** The time until an idle core runs a woken thread, so that p50 is right at the lowest rate; 0 without an open loop. */
  readonly wakeMicros: number
  /** The coefficient of variation of the CPU time of a piece of work, so that p99 is right. */
  readonly variation: number
}

/** Figures of one step in one situation, simulated or measured. */
export interface Figures {
  readonly goodput: number
  readonly latencyMs: Pick<Latency, 'p50' | 'p99'>
}

/** Figures of a cell, with the CPU microseconds a response: of the main thread, and of the app and its sidecars. */
export interface CellFigures extends Figures {
  readonly mainThreadMicros: number
  readonly totalMicros: number
}

/** A prediction for a step on a number of cores. Every figure in it is of the model, except `measured`. */
export interface LadderRow extends Figures {
  readonly isModel: true
  readonly number: number | null
  readonly name: string
  readonly cores: number
  /** Threads of each pool. */
  readonly threads: number
  /** Shares of the time in which a thread of each part runs; null for a part without threads. */
  readonly utilization: PerPart<number | null>
  readonly coresUtilization: number
  /** The same as the run has measured it; null if the run did not measure it. */
  readonly measured: Figures | null
  /** Errors of the model in the validation, in the situations most like this one; null if there are none. */
  readonly error: ModelError | null
}

/** The median error of predictions against measurements, as a share: 0.1 is 10 % too much or too little. */
export interface ModelError {
  readonly goodput: number
  readonly p99: number
  /** Number of cells of the validation. */
  readonly cells: number
}

/** The smallest machines that serve a rate in time, by step. Every figure is of the model. */
export interface SizedRow {
  readonly isModel: true
  readonly number: number | null
  readonly name: string
  /** Null if no number of instances does it. */
  readonly size: Size | null
  /** Errors of the model in the validation, in the situations most like one instance; null if there are none. */
  readonly error: ModelError | null
}

export interface Size {
  readonly instances: number
  /** Of each instance. */
  readonly cores: number
  /** Threads of each pool of an instance. */
  readonly threads: number
  readonly totalCores: number
  /** Memory of all instances, with as many sidecars; null when the system did not tell. */
  readonly memoryMiB: number | null
  readonly p99Ms: number
  readonly mainThreadUtilization: number
  /** The part of an instance that is busiest, and so has no room for a higher rate. */
  readonly bottleneck: string
}

/** A situation in which the model is compared with measurements. */
export interface ValidationSituation {
  readonly number: number | null
  readonly name: string
  readonly cores: number
  readonly connections: number
  /**
   * Of an open loop: the share of what the first step answered in a closed loop on as many cores, in the same block. Null for
   * a closed loop.
   */
  readonly sharePercent: number | null
  /** Requests a second of an open loop; null for a closed loop. */
  readonly ratePerSecond: number | null
}

/** One measurement of a situation, and what the model makes of the costs that were measured in the same block. */
export interface ValidationSample extends ValidationSituation, Judged {
  /** Number of its block. */
  readonly round: number
  /** Share of the time of the cores that the host of a virtual machine took, as in the simulation. */
  readonly stealShare: number
  readonly measured: CellFigures
  readonly predicted: CellFigures
}

export interface PlanResults extends SavedRun {
  readonly kind: 'plan'
  readonly settings: PlanSettings
  readonly source: PlanSource
  readonly fitted: FittedFigures
  readonly ladder: readonly LadderRow[]
  /** The rate and the bound of p99 that were asked for, and what they take; null if none were. */
  readonly sizing: {
    readonly ratePerSecond: number
    readonly p99Ms: number
    readonly rows: readonly SizedRow[]
  } | null
  /** The samples of the validation; null if it was not asked for. */
  readonly validation: readonly ValidationSample[] | null
}
