/** The order for the process that runs one fault, as JSON. */
export interface FaultOrder {
  readonly group: string
  readonly name: string
  readonly directory: string
  readonly seconds: number
  readonly seed: number
}

/** The messages of that process. */
export type FaultMessage =
  | { readonly kind: 'progress'; readonly says: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export interface Outcome {
  readonly held: boolean
  readonly says: string
}
