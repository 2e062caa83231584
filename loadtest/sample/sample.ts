import type { Latency } from '../generator/protocol.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'

/** The settings that decide how one sample is taken. */
export interface SampleSettings {
  readonly scenario: ScenarioName
  readonly connections: number
  /** Threads of each pool of the app. */
  readonly threads: number
  readonly warmupSeconds: number
  /** Length of a measured window. */
  readonly durationSeconds: number
  /**
   * Windows of each sample, in turns with those of the other rows of its block; absent if rows are measured one after the
   * other, each in one window.
   */
  readonly turns?: number
  readonly seed: number
  /** The scenario of a second load, which runs beside the measured one; null without a second load. */
  readonly beside: ScenarioName | null
  /** Requests a second of the second load; null when a closed loop sends it. */
  readonly besideRate?: number | null
  /** Whether samples count however much the machine disturbed them. They are marked then. */
  readonly acceptNoise?: boolean
  /** The cores that all processes of a row share; null when the system chooses the cores. */
  readonly cores?: readonly number[] | null
}

/** The measurement of a stack under load in one window. Micros are CPU microseconds a good response. */
export interface Sample {
  /** Number of its block. A refused sample is followed by its repetition. */
  readonly round: number
  readonly valid: boolean
  /** The reason why the sample was refused; null when it is valid. */
  readonly reason: string | null
  /**
   * How the machine disturbed the sample. A valid sample with this is noisy: it counts, and is marked. Null when nothing
   * disturbed it.
   */
  readonly noise: string | null
  readonly responses: number
  /** Good responses a second. */
  readonly goodput: number
  /** Other answers a second. */
  readonly otherAnswers: Readonly<Record<'refused' | 'failed', number>>
  readonly mainThreadMicros: number
  /** How often the main thread slept and was woken, for each good response; null when the system does not tell. */
  readonly wakeups: number | null
  /** Bytes that the main thread allocated on its heap, for each good response; null when its Node.js does not tell. */
  readonly allocatedBytes: number | null
  /** Garbage collections of the main thread for each good response. */
  readonly collectionsPerResponse: number
  /** CPU time of the app and its sidecars. */
  readonly totalMicros: number
  readonly mainThreadUtilization: number
  /** To the last byte. */
  readonly latencyMs: Latency
  readonly firstByteMs: Latency
  /** How long after their scheduled time requests were sent; null for a closed loop. */
  readonly latenessMs: Latency | null
  readonly errors: number
  readonly wrongBodies: number
  /**
   * Memory of the app and its sidecars, with each page divided by the number of processes that share it; null when
   * the system does not tell.
   */
  readonly memoryMiB: number | null
  /** Use of the machine by others; null when the system does not tell. */
  readonly machine: MachineUse | null
  /** Good responses a second of the second load. When that is a closed loop, micros are per response of either load. */
  readonly besideGoodput: number | null
  /**
   * Latency of the second load when it is sent on a schedule. Its cost is counted in the micros of the measured
   * responses.
   */
  readonly besideLatencyMs: Latency | null
  readonly ledger: Ledger
  /** Absent unless the cores were slow. */
  readonly cores?: CoresUse
}

/** How much of their slow cores the app and its sidecars have used. 1 is all that they may use. */
export interface CoresUse {
  /** Of all cores together. */
  readonly all: number
  /** Of a core for each thread, by process and name of the threads. */
  readonly threads: readonly {
    readonly process: string
    readonly thread: string
    readonly count: number
    readonly mean: number
    readonly busiest: number
  }[]
}
