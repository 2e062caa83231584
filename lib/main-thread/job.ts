/** The request to which a job belongs, as far as the queue needs to know it. */
export interface Requester {
  /** Milliseconds by the monotonic clock by which the work must have begun. */
  readonly deadline: number
  /** Whether the client has left. */
  readonly gone: boolean
  /** Calls `listener` when the client leaves. */
  onGone(listener: () => void): void
}

/**
 * The reason why a job was not done. With `died` its thread or process died by itself; with `timed out` it was ended
 * because the job took too long. With `closed` the queue was closed before the job was done.
 */
export type Failure = 'client gone' | 'deadline passed' | 'died' | 'timed out' | 'closed'

/** A job that was not done. The message is for the log. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly failure: Failure

  constructor(failure: Failure, message: string = failure, cause?: Error) {
    super(message, cause && { cause })
    this.failure = failure
  }
}

export type Outcome<Reply> =
  /**
   * One reply per job, in the order of the jobs. A promise stands for the reply of a job that takes longer than its
   * message, and resolves with the outcome of this job alone.
   */
  { readonly kind: 'replies'; readonly replies: readonly (Reply | Promise<Outcome<Reply>>)[] } | Lost

/** The thread or process that ran the jobs died after `started` of them had been started. */
export interface Lost {
  readonly kind: 'lost'
  readonly started: number
  /** Whether none of those that had been started ran at that moment, so that none is to blame. */
  readonly isIdle?: boolean
  /** Whether it was ended because the running job took too long. */
  readonly timedOut?: boolean
  /** The reason as the log shows it. */
  readonly why?: string | undefined
  /** The error that ended the thread. */
  readonly cause?: Error | undefined
}

/** The reply to a job, and the time of the call by the monotonic clock. */
export interface Done<Reply> {
  readonly reply: Reply
  readonly askedAtMs: number
}

/** The end of a job. */
export type End<Reply> = Done<Reply> | JobFailed
