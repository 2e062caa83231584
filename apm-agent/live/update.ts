import type { Figures } from './figures.ts'
import type { AppDescription, LedgerName } from './pulse-protocol.ts'

/** One server-sent event from apm-agent to an open page. */
export type LiveMessage =
  /**
   * The first event of every connection, and also later events for a page that reads slowly. It contains a portion of
   * the updates that the page lacks.
   */
  | {
      readonly kind: 'history'
      /** A sentence about the present run, from the person or program that started apm-agent; may be empty. */
      readonly note: string
      /** The sentence to show after this apm-agent has ended, when another is about to start; may be empty. */
      readonly next: string
      /** Milliseconds since the epoch by apm-agent's clock; not before its last update. */
      readonly nowMs: number
      /** The apps of these updates. */
      readonly apps: readonly AppDescription[]
      /** The updates, the oldest first. */
      readonly updates: readonly Update[]
    }
  /** `app` comes with the first update of each app. */
  | { readonly kind: 'update'; readonly app?: AppDescription; readonly update: Update }
  /** apm-agent is running, but no app is reporting. */
  | { readonly kind: 'silence' }
  /** The page has to connect again. A page that does not is treated as closed. */
  | { readonly kind: 'again' }
  /** The largest number of pages is already open. */
  | { readonly kind: 'full' }

/** The figures of one app over the two seconds before `atMs`. */
export interface Update extends Figures {
  /** Milliseconds since the epoch by apm-agent's clock; each update has a later time than the one before. */
  readonly atMs: number
  /** The instance of the app, or the group that its instances have in common. */
  readonly app: string
  /** Counted since apm-agent first heard of the app. */
  readonly ledger: Readonly<Record<LedgerName, LedgerFigures>>
  /** The faults that are on, or have just ended. */
  readonly faults: readonly FaultTime[]
}

/** Times in milliseconds since the epoch by apm-agent's clock. A fault that is on ends later than its update. */
export interface FaultTime {
  /**
   * The number of the fault in its app. It identifies the fault, because its times may differ by milliseconds between
   * two apm-agents.
   */
  readonly id: number
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

interface LedgerFigures {
  readonly emitted: number
  /** Null if the number cannot be known. */
  readonly delivered: number | null
}

/** An update covers the time between this many pulses, which is two seconds. */
export const PULSES_OF_AN_UPDATE = 5

export const HISTORY_MS = 10 * 60_000
