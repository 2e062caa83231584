import type { Figures } from './figures.ts'
import type { AppDescription, LedgerName } from './pulse.ts'

/** One server-sent event from apm-agent to a page that watches. */
export type LiveMessage =
  /** The first event of every connection, and later events for a page that lags behind: the updates that it misses, a portion at a time. */
  | {
      readonly kind: 'history'
      /** A sentence about what is going on, from whoever started apm-agent; may be empty. */
      readonly note: string
      /** The sentence to show while this apm-agent is gone and the next is about to come; may be empty. */
      readonly next: string
      /** Milliseconds since the epoch by apm-agent's clock; not before its last update. */
      readonly nowMs: number
      /** The apps that the updates are about. */
      readonly apps: readonly AppDescription[]
      /** The oldest first. */
      readonly updates: readonly Update[]
    }
  /** `app` comes with the first update of each app. */
  | { readonly kind: 'update'; readonly app?: AppDescription; readonly update: Update }
  /** apm-agent runs, and no app reports. */
  | { readonly kind: 'silence' }
  /** The page has to connect again: a page that does not is taken to be gone. */
  | { readonly kind: 'again' }
  /** The largest number of pages watches already. */
  | { readonly kind: 'full' }

/** The figures of one app over the two seconds before `atMs`. */
export interface Update extends Figures {
  /** Milliseconds since the epoch, of apm-agent's clock; each update has a later one than the update before. */
  readonly atMs: number
  /** The app's instance, or the group that its instances have in common. */
  readonly app: string
  /** Counted since apm-agent first heard of the app. */
  readonly ledger: Readonly<Record<LedgerName, LedgerFigures>>
  /** Faults that are on, or have just ended. */
  readonly faults: readonly FaultTime[]
}

/** Milliseconds since the epoch, of apm-agent's clock; a fault that is on ends later than its update. */
export interface FaultTime {
  /** The number of the fault in its app: its times may differ by milliseconds between two apm-agents. */
  readonly id: number
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

interface LedgerFigures {
  readonly emitted: number
  /** Null where it cannot be known. */
  readonly delivered: number | null
}

/** An update covers the time between this many pulses: two seconds. */
export const PULSES_OF_AN_UPDATE = 5

export const HISTORY_MS = 10 * 60_000
