import type { ScenarioName } from '../../loadtest/generator/scenarios.ts'

/** What clients of an overload are told; they are a process of their own. */
export interface ClientsOrder {
  readonly url: string
  readonly scenario: ScenarioName
  /** So many that ask again once answered, or a schedule in requests a second. */
  readonly load: { readonly clients: number } | { readonly ratePerSecond: number; readonly seed: number }
  readonly warmupMs: number
  readonly durationMs: number
}

/** What they saw of the requests that were answered in the window, or asked in it. */
export interface ClientsReport {
  /** Right status and right body. */
  readonly good: number
  readonly wrongBodies: number
  /** 503 with the code OVERLOADED and `Retry-After`. */
  readonly refused: number
  /** Everything else, by status and code; of the warm-up as well. */
  readonly failed: Readonly<Record<string, number>>
  /** From being sent to the last byte of a good answer. */
  readonly slowestMs: number
  readonly medianMs: number
  readonly seconds: number
}

export type ClientsMessage = { readonly kind: 'opened' } | { readonly kind: 'closed' } | ReportMessage
export interface ReportMessage {
  readonly kind: 'report'
  readonly report: ClientsReport
}
