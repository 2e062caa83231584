/** What every stream of figures begins with and repeats. */
export type StreamMessage =
  /** The present time in milliseconds since the epoch, by the clock of the server; not before its last message. */
  | { readonly kind: 'hello'; readonly nowMs: number }
  /** The largest number of pages is already open. */
  | { readonly kind: 'full' }
