/** The order for a process that runs one fault, passed as JSON. */
export interface FaultOrder {
  readonly group: string
  /** Name of the step of the service. */
  readonly step: string
  readonly name: string
  readonly directory: string
  readonly seconds: number
  readonly seed: number
}

/** Messages that this process sends back. */
export type FaultMessage =
  | { readonly kind: 'progress'; readonly says: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export interface Outcome {
  readonly held: boolean
  readonly says: string
}
