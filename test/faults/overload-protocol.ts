import type { ScenarioName } from '../../loadtest/generator/scenarios.ts'

/** The order for the clients of an overload, which run in their own process. */
export interface ClientsOrder {
  readonly url: string
  readonly scenario: ScenarioName
  /** Either a number of clients that send the next request after an answer, or a schedule in requests a second. */
  readonly load: { readonly clients: number } | { readonly ratePerSecond: number; readonly seed: number }
  readonly warmupMs: number
  readonly durationMs: number
}

/** The outcomes of the requests that were sent or answered in the window. */
export interface ClientsReport {
  /** Answers with the right status and the right body. */
  readonly good: number
  readonly wrongBodies: number
  /** Answers 503 with the code OVERLOADED and `Retry-After`. */
  readonly refused: number
  /** All other answers by status and code, including those of the warm-up. */
  readonly failed: Readonly<Record<string, number>>
  /** The longest time from sending a request to the last byte of a good answer. */
  readonly slowestMs: number
  readonly medianMs: number
  readonly seconds: number
}

export type ClientsMessage = { readonly kind: 'opened' } | { readonly kind: 'closed' } | ReportMessage
export interface ReportMessage {
  readonly kind: 'report'
  readonly report: ClientsReport
}
