import { monotonicMs } from '../units.ts'

/** The data of its request that every task and page part carries, because AsyncLocalStorage does not cross threads. */
export interface Envelope {
  readonly requestId: string
  /** The W3C trace context of the span to which the work belongs. */
  readonly traceparent: string | undefined
  /** Milliseconds by the monotonic clock; after this time the work is not started. */
  readonly deadline: number
}

/** Whether it is too late to start the work. */
export const isLate = ({ deadline }: Envelope): boolean => monotonicMs() >= deadline
