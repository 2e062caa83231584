/** A message about the app that runs, from apm-agent to its pages. */
export type LiveMessage =
  | StreamMessage
  /** A sentence about the present run, which may be empty. */
  | { readonly kind: 'run'; readonly note: string }
  /** It comes before the first update of an app. */
  | { readonly kind: 'app'; readonly app: AppDescription }
  | { readonly kind: 'update'; readonly update: Update }
  /** No app is reporting. It is repeated. */
  | { readonly kind: 'silence' }

/** The running app, and its place on the ladder. */
export interface AppDescription {
  readonly instance: string
  /** The number of this instance of the app, and the number of instances; null if the app is one process. */
  readonly place: { readonly group: string; readonly number: number; readonly of: number } | null
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number
  /** Null if the composition is not that of a step. */
  readonly step: number | null
  /** `apm`, or `step 5, compute: processes`. */
  readonly name: string
  /** The implementation of each concern. */
  readonly composition: Readonly<Record<string, string>>
  /** All steps, such as `5 apm`. */
  readonly ladder: readonly string[]
}

/** What the threads of an app do, and what is on its way to other threads and processes. */
export interface Threads {
  /** Share of the time in which each thread used CPU. */
  readonly lanes: readonly { readonly name: string; readonly share: number }[]
  readonly pools: readonly PoolFigures[]
  /** Counted since apm-agent first heard of the app. */
  readonly ledger: Readonly<Record<'logLines' | 'spans' | 'metricPoints', LedgerFigures>>
}

/** The figures of one app over the two seconds before `atMs`; several instances are added up. */
export interface Update extends Threads {
  /** Milliseconds since the epoch by apm-agent's clock; each update has a later time than the one before. */
  readonly atMs: number
  /** The instance of the app, or the group that its instances have in common. */
  readonly app: string
  /** Good and bad answers a second. */
  readonly goodput: number
  readonly bad: number
  /** The place where latency was measured: at clients that report it, or in the server, which cannot see all of it. */
  readonly latencyAt: 'client' | 'server'
  /** Latencies of good answers; null without any. */
  readonly latencyMs: Percentiles | null
  /** Share of the time in which the main thread used CPU; of several instances, the mean. */
  readonly busy: number
  /** Share of the time in which the main thread's event loop was not waiting for events; it may have waited for a core. */
  readonly utilization: number
  /** CPU microseconds of the main thread per good answer; null without answers. */
  readonly costMicros: number | null
  /** Good answers a second that the main threads of all instances would allow at this cost; null without answers. */
  readonly ceiling: number | null
  /** Durations of single turns of the event loop, the worst of the readings; null if there was no turn. */
  readonly delayMs: { readonly p99: number; readonly max: number } | null
  /** Share of the time in which garbage collection stopped the main thread, and collections a second. */
  readonly gc: { readonly share: number; readonly perSecond: number }
  /** The faults that are on, or have just ended. */
  readonly faults: readonly FaultTime[]
}

export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p99', number>>

interface PoolFigures {
  readonly name: string
  readonly size: number
  readonly queueLength: number
  /** Share of the pool's workers that ran something. */
  readonly busy: number
  /** Means per task; null without tasks. */
  readonly waitMs: number | null
  readonly runMs: number | null
}

interface LedgerFigures {
  readonly emitted: number
  /** Null if the number cannot be known. */
  readonly delivered: number | null
}

/** Times in milliseconds since the epoch by apm-agent's clock. A fault that is on ends later than its update. */
export interface FaultTime {
  /** The number of the fault in its app, by which it is known: its times may differ between two apm-agents. */
  readonly id: number
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

/** Updates come at this interval. */
export const UPDATE_INTERVAL_MS = 500
/** Pages can show this time. */
export const HISTORY_MS = 10 * 60_000

/** What every stream of figures begins with and repeats. */
export type StreamMessage =
  /** The present time in milliseconds since the epoch, by the clock of the server; not before its last message. */
  | { readonly kind: 'hello'; readonly nowMs: number }
  /** The largest number of pages is already open. */
  | { readonly kind: 'full' }
