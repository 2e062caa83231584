import type { ScenarioName } from '../../loadtest/generator/scenarios.ts'

/** The order for the clients of an overload, which run in their own process. */
export interface ClientsOrder {
  readonly url: string
  readonly scenario: ScenarioName
  /** Clients in a closed loop, or an open loop with a schedule. */
  readonly load: { readonly clients: number } | { readonly ratePerSecond: number; readonly seed: number }
  readonly warmupMs: number
  readonly durationMs: number
}

/** Outcomes of the requests that were sent or answered in the window. */
export interface ClientsReport {
  /** Right status and right body. */
  readonly good: number
  readonly wrongBodies: number
  /** 503 with the code OVERLOADED and `Retry-After`. */
  readonly refused: number
  /** Number of all other answers by status and code, also during the warm-up. */
  readonly failed: Readonly<Record<string, number>>
  /** Time from sending a request to the last byte of a good answer. */
  readonly slowestMs: number
  readonly medianMs: number
  readonly seconds: number
}

export type ClientsMessage = { readonly kind: 'opened' } | { readonly kind: 'closed' } | ReportMessage
export interface ReportMessage {
  readonly kind: 'report'
  readonly report: ClientsReport
}
