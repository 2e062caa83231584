import type { ScenarioName } from './scenarios.ts'

/** The sidecars, whose CPU time is part of the total cost. */
export const sidecars = { loggerTransport: 'logger-transport', apmAgent: 'apm-agent' } as const
export type Sidecar = keyof typeof sidecars

export const arrivals = ['constant', 'poisson'] as const

/** How requests come. */
export type Load =
  /** Each connection asks again once it is answered. */
  | { readonly kind: 'closed' }
  /** On a schedule, whatever becomes of the requests before. */
  | {
      readonly kind: 'open'
      readonly ratePerSecond: number
      readonly arrivals: (typeof arrivals)[number]
      /** Decides the gaps of Poisson arrivals. */
      readonly seed: number
    }

/** What the load test asks of the generator's process: one sample's load. */
export interface LoadOrder {
  readonly url: string
  readonly scenario: ScenarioName
  readonly load: Load
  readonly firstSeed: number
  readonly connections: number
  /** Whether this generator goes before all else that runs, where the system allows it: it asks for little, in time. */
  readonly isUrgent?: boolean
  readonly warmupMs: number
  readonly durationMs: number
  /** Base URL of apm-agent, whose live page shows how long clients wait. */
  readonly liveUrl?: string | undefined
  /** Where the CPU time of the processes that are measured is read. */
  readonly usageUrls: { readonly app: string } & Partial<Record<Sidecar, string>>
}

export type GeneratorMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly kind: 'failed'; readonly message: string }

/** What one measured window saw. Micros are CPU microseconds of the whole window. */
export interface Measurement {
  readonly durationMs: number
  /** Right status and right body. */
  readonly responses: number
  /** Wrong status, broken connections, timeouts; also while the load warmed up, as are wrong bodies. */
  readonly errors: number
  readonly wrongBodies: number
  readonly mainThreadMicros: number
  readonly processMicros: Readonly<Record<'app' | Sidecar, number>>
  readonly mainThreadUtilization: number
  readonly generatorUtilization: number
  /** To the last byte. */
  readonly latencyMs: Latency
  readonly firstByteMs: Latency
  /** How long after their scheduled time requests were sent: the generator's own delay. Null in a closed loop. */
  readonly latenessMs: Latency | null
  readonly residentBytes: number
  /** How often instances of the app were started again, since the app started. */
  readonly restarts: number
}

export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}
