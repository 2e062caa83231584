/** What the process that runs one fault is given, as JSON. */
export interface FaultOrder {
  readonly group: string
  readonly name: string
  readonly directory: string
  readonly seconds: number
  readonly seed: number
}

/** What it tells. */
export type FaultMessage =
  | { readonly kind: 'progress'; readonly says: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export interface Outcome {
  readonly held: boolean
  readonly says: string
}
