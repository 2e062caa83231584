import type { Arrivals } from './load.ts'
import type { ScenarioName } from './scenarios.ts'

/** In a closed loop, each connection sends its next request once its last is answered; in an open one, on a schedule. */
export type Load = { readonly kind: 'closed' } | ({ readonly kind: 'open' } & Arrivals)

/** The kinds of answers. An app protects itself from overload by `refused`, which is an error, too. */
export type Outcome = 'good' | 'error' | 'refused' | 'wrong body'

/** The processes whose CPU time is the total, by their names in results. */
export const processNames = ['app', 'loggerTransport', 'apmAgent'] as const
type ProcessName = (typeof processNames)[number]

export interface LoadOrder {
  readonly url: string
  readonly scenario: ScenarioName
  readonly load: Load
  readonly firstSeed: number
  readonly connections: number
  /** Whether this generator gets a higher priority than all other processes: its few requests must be on time. */
  readonly isUrgent?: boolean
  readonly warmupMs: number
  /** The first part of the warm-up of an open loop, in which a closed loop sends more requests; absent for none. */
  readonly heatMs?: number
  readonly durationMs: number
  /** Base URL of apm-agent, whose live page shows how long clients wait. */
  readonly liveUrl?: string | undefined
  /** The URLs at which the measured processes report their CPU time. */
  readonly usageUrls: { readonly app: string } & Readonly<Partial<Record<ProcessName, string>>>
}

/**
 * The moments of the measured window. Shortly before it opens, the load test reads the machine, which takes CPU time away
 * from the stack; the window opens once it has done so.
 */
export type WindowEvent = 'opening' | 'opened' | 'closed'

/** An order, or the permission to open the window of that order. */
export type GeneratorRequest =
  | { readonly kind: 'measure'; readonly order: LoadOrder }
  | { readonly kind: 'open' }

export type GeneratorMessage =
  | { readonly kind: WindowEvent }
  | { readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly kind: 'failed'; readonly message: string }

/** The measurement of one window. Micros are CPU microseconds of the whole window. */
export interface Measurement {
  readonly durationMs: number
  readonly responses: number
  readonly inWindow: Readonly<Record<Outcome, number>>
  /** Wrong statuses, broken connections and timeouts. Like wrong bodies, they also count during the warm-up. */
  readonly errors: number
  readonly wrongBodies: number
  readonly mainThreadMicros: number
  /** Null when the system does not count them. */
  readonly mainThreadWakeups: number | null
  /** Bytes that the main thread allocated on its heap; null when its Node.js does not tell. */
  readonly mainThreadAllocatedBytes: number | null
  /** 0 for a sidecar that the stack does not have. */
  readonly processMicros: Readonly<Record<ProcessName, number>>
  readonly mainThreadUtilization: number
  readonly generatorUtilization: number
  readonly latencyMs: Latency
  readonly firstByteMs: Latency
  /** How long after their scheduled time requests were sent, the generator's own delay; null in a closed loop. */
  readonly latenessMs: Latency | null
  /** Number of instances that were restarted since the app started. */
  readonly restarts: number
}

export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}
