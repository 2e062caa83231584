/** What every task and page part carries of its request; AsyncLocalStorage does not cross threads. */
export interface Envelope {
  readonly requestId: string
  /** W3C trace context of the span that the work belongs to. */
  readonly traceparent: string | undefined
  /** Milliseconds since the epoch. Past it the work is not started. */
  readonly deadline: number
}

/** Whether it is too late to start the work. */
export const isLate = ({ deadline }: Envelope): boolean => Date.now() >= deadline
