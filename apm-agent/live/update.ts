import type { AppDescription, LedgerName, PoolPulse, Pulse } from './pulse.ts'

/** What apm-agent tells the pages that watch; a server-sent event each. */
export type LiveMessage =
  /** First, on every connection, and whenever a page lags behind: what it has not seen yet, a portion at a time. */
  | {
      readonly kind: 'history'
      /** What is going on, in the words of whoever started apm-agent; empty when nothing was said. */
      readonly note: string
      /** The same, for the time when this apm-agent has gone and another is about to come; empty when none is. */
      readonly next: string
      /** Milliseconds since the epoch, of apm-agent's clock; not before its last update. */
      readonly nowMs: number
      /** Those that the updates are of. */
      readonly apps: readonly AppDescription[]
      /** The oldest first. */
      readonly updates: readonly Update[]
    }
  /** `app` comes with the first update of each. */
  | { readonly kind: 'update'; readonly app?: AppDescription; readonly update: Update }
  /** apm-agent is there, the app has nothing to say. */
  | { readonly kind: 'silence' }
  /** The page is to connect anew: whoever does not is gone. */
  | { readonly kind: 'again' }
  /** As many pages watch as may. */
  | { readonly kind: 'full' }

/** The figures of one app over the two seconds before `atMs`. */
export interface Update {
  /** Milliseconds since the epoch, of apm-agent's clock; each update has a later one than the update before. */
  readonly atMs: number
  /** Of the app: its instance, or what its instances have in common. */
  readonly app: string
  /** Good and bad answers a second. */
  readonly goodput: number
  readonly bad: number
  /** Who saw the latency: the clients of a load generator that reports, or the server, which does not see all. */
  readonly latencyAt: 'client' | 'server'
  /** Of good answers; null without any. */
  readonly latencyMs: Readonly<Record<'p50' | 'p90' | 'p99', number>> | null
  /** Share of the time in which the main thread's event loop was not waiting. */
  readonly utilization: number
  /** CPU microseconds of the main thread a good answer, and how many of those make a second of every instance; null without answers. */
  readonly costMicros: number | null
  readonly ceiling: number | null
  /** How long single turns of the event loop took; the worst reading of the two seconds. */
  readonly delayMs: Pulse['delayMs']
  /** Share of the time that the main thread stood still for garbage collection, and collections a second. */
  readonly gc: { readonly share: number; readonly perSecond: number }
  /** CPU time of each thread over time; of several instances, `2: main`. */
  readonly lanes: readonly { readonly name: string; readonly share: number }[]
  readonly pools: readonly PoolFigures[]
  /** Since apm-agent first heard of the app. */
  readonly ledger: Readonly<Record<LedgerName, LedgerFigures>>
  /** That are on, or have just ended. */
  readonly faults: readonly FaultTime[]
}

/** Milliseconds since the epoch, of apm-agent's clock; a fault that is on ends later than its update. */
export interface FaultTime {
  /** Which of the app's faults it is: another apm-agent may be off by a few milliseconds. */
  readonly id: number
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

export interface PoolFigures extends Pick<PoolPulse, 'name' | 'size' | 'queueLength'> {
  /** Share of its workers that ran something. */
  readonly busy: number
  /** Of a task, on average; null without any. */
  readonly waitMs: number | null
  readonly runMs: number | null
}

export interface LedgerFigures {
  readonly emitted: number
  /** Null where it cannot be known. */
  readonly delivered: number | null
}

/** The figures of an update are of the time between this many pulses: two seconds. */
export const PULSES_OF_AN_UPDATE = 5

export const HISTORY_MS = 10 * 60_000
