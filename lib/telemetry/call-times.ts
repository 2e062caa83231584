/** An upstream call that has ended. */
export interface CallTimes {
  /** The start by the monotonic clock, in milliseconds. */
  readonly startedAtMs: number
  readonly durationMs: number
  /** Whether the request was sent, over a connection. */
  readonly wasSent: boolean
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** `error.type` of a call that failed. */
  readonly errorType: string | undefined
}
