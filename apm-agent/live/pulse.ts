/**
 * What an app tells of itself twice a second, whatever its telemetry is made with: the live page is fed by it.
 *
 *     app ── pulse, pulse, pulse … over apm-agent's Unix socket ──▶ apm-agent ── server-sent events ──▶ pages
 *
 * Counts and times go on from the start of the app, so that a pulse that is lost loses nothing; what is read from
 * `latencies` and `delayMs` is of the time since the pulse before.
 */
export interface Pulse {
  readonly app: AppDescription
  /** By the monotonic clock. */
  readonly atMs: number
  readonly requests: RequestCounts
  /** How many good answers took how long: pairs of a bucket and a count. See {@link bucketOf}. */
  readonly latencies: readonly (readonly [bucket: number, count: number])[]
  readonly loop: { readonly activeMs: number; readonly idleMs: number }
  /** How long single turns of the event loop took; null where there was none. */
  readonly delayMs: Delay | null
  readonly gc: { readonly count: number; readonly pausedMs: number }
  readonly threads: readonly { readonly name: string; readonly cpuMicros: number }[]
  readonly pools: readonly PoolPulse[]
  readonly emitted: Readonly<Record<LedgerName, number>>
  /** Log lines that never left for their destination. */
  readonly droppedLines: number
  /** Made by fault switches: those that are on, and those that ended in the last half minute. */
  readonly faults: readonly FaultPulse[]
}

/** Times by the monotonic clock; one that is on ends later than now. */
export interface FaultPulse {
  /** Which of the app's faults it is. */
  readonly id: number
  readonly name: string
  readonly startedAtMs: number
  readonly endsAtMs: number
}

/** The process that is running, and its place on the ladder. */
export interface AppDescription {
  readonly instance: string
  /** Which of several instances it is, of how many; null where the app is one process. */
  readonly place: { readonly group: string; readonly number: number; readonly of: number } | null
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number
  /** Null when what runs is none of the steps. */
  readonly step: number | null
  /** `apm`, or `apm+compute=processes`. */
  readonly name: string
  /** The implementation of each concern. */
  readonly composition: Readonly<Record<string, string>>
  /** All steps, such as `5 apm`. */
  readonly ladder: readonly string[]
}

export interface RequestCounts {
  /** Answered whole, with a status below 400. */
  readonly good: number
  /** Answered with 400 or more, or cut off. */
  readonly bad: number
}

interface Delay {
  readonly p99: number
  readonly max: number
}

export interface PoolPulse {
  readonly name: string
  readonly size: number
  readonly queueLength: number
  readonly tasks: number
  readonly waitMs: number
  readonly runMs: number
}

export const ledgerNames = ['logLines', 'spans', 'metricPoints'] as const
export type LedgerName = (typeof ledgerNames)[number]

export const PULSE_INTERVAL_MS = 500

/** Buckets grow by 2 %: what is read from the middle of one is wrong by 1 % at most. */
const GROWTH = 1.02
const LEAST_MS = 0.01
/** Up to 100 s, in the last whatever took longer. */
export const BUCKETS = 1 + Math.ceil(Math.log(100_000 / LEAST_MS) / Math.log(GROWTH))
const BUCKETS_A_UNIT = 1 / Math.log(GROWTH)
const OFFSET = -Math.log(LEAST_MS) * BUCKETS_A_UNIT

/** Where a latency is counted. What took less than 10 µs is in bucket 0. */
export const bucketOf = (latencyMs: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log(latencyMs) * BUCKETS_A_UNIT + OFFSET)))

/** The geometric middle of a bucket, in milliseconds. */
export const middleOf = (bucket: number): number => LEAST_MS * GROWTH ** (bucket - 0.5)
