import type { Latency, Measurement } from '../generator/protocol.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'

/** The settings that decide how one sample is taken. */
export interface SampleSettings {
  readonly scenario: ScenarioName
  readonly connections: number
  readonly threads: number
  readonly warmupSeconds: number
  /** Length of a measured window. */
  readonly durationSeconds: number
  /** Windows of each sample, in turns with those of the other rows; absent if rows are measured one after the other. */
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
  /** Number of its block. */
  readonly round: number
  readonly valid: boolean
  /** The reason why the sample was refused; null when it is valid. */
  readonly reason: string | null
  /** How the machine disturbed the sample, which is noisy then if it counts; null when nothing did. */
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
  /** Of the app and its sidecars. */
  readonly totalMicros: number
  /** The part of each process in the total. */
  readonly processMicros: Measurement['processMicros']
  readonly mainThreadUtilization: number
  /** To the last byte. */
  readonly latencyMs: Latency
  readonly firstByteMs: Latency
  readonly errors: number
  readonly wrongBodies: number
  /** Of the app and its sidecars, shared pages divided among processes; null when the system does not tell. */
  readonly memoryMiB: number | null
  /** Use of the machine by others; null when the system does not tell. */
  readonly machine: MachineUse | null
  /** Good responses a second of the second load. When that is a closed loop, micros are per response of either load. */
  readonly besideGoodput: number | null
  /** Latency of the second load when it is sent on a schedule; its cost is counted in the micros of the measured responses. */
  readonly besideLatencyMs: Latency | null
  readonly ledger: Ledger
  /** Absent unless the cores were slow. */
  readonly cores?: CoresUse
}

/** How much of their slow cores the app and its sidecars have used; 1 is all. For threads, a core of each. */
export interface CoresUse {
  readonly all: number
  readonly threads: readonly {
    readonly process: string
    readonly thread: string
    readonly count: number
    readonly mean: number
    readonly busiest: number
  }[]
}
