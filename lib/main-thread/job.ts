import { ClientWatch, type Envelope, type WaitingClient } from '../threads/envelope.ts'

/**
 * Why a job was not done. `died`: its thread or process died by itself; `timed out`: it was ended because the job took too long;
 * `not sent`: no message can contain it; `closed`: the queue was closed before.
 */
export type Failure = 'client gone' | 'deadline passed' | 'died' | 'timed out' | 'not sent' | 'closed'

/** A job that was not done. The message is for the log. */
export class JobFailed extends Error {
  override name = 'JobFailed'
  readonly failure: Failure

  constructor(failure: Failure, message: string = failure, cause?: Error) {
    super(message, cause && { cause })
    this.failure = failure
  }
}

export type MessageEnd<Reply> =
  /**
   * One reply per job, in the order of the jobs; undefined for those that ended early. A promise stands for the reply of a
   * job that takes longer than its message, and resolves with the outcome of this job alone.
   */
  | {
      readonly kind: 'replies'
      readonly replies: readonly (Reply | undefined | Promise<MessageEnd<Reply>>)[]
    }
  | Lost

/** Ends a job of a message before the others. @param index its place in the message */
export type EndEarly<Reply> = (index: number, reply: Reply) => void

/** The thread or process that ran the jobs died after `started` of them had been started. */
export interface Lost {
  readonly kind: 'lost'
  readonly started: number
  /** Whether none of those that had been started ran at that moment, so that none is to blame. */
  readonly isIdle?: boolean
  /** Whether it was ended because the running job took too long. */
  readonly timedOut?: boolean | undefined
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

export type JobEnd<Reply> = Done<Reply> | JobFailed

/** A client that waits as long as it takes. */
export const patient: WaitingClient = {
  deadline: Number.POSITIVE_INFINITY,
  gone: false,
  onGone: () => () => {},
}

/** The client of a job that goes away when its signal is aborted. */
export class SignalClient extends ClientWatch implements WaitingClient {
  readonly deadline: number
  /** Rejects with the reason of the signal when that is aborted. */
  readonly aborted: Promise<never>
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: () => void

  /** @param deadline milliseconds by the monotonic clock by which the job must have begun */
  constructor(deadline: number, signal: AbortSignal | undefined) {
    super()
    this.deadline = deadline
    this.#signal = signal
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.aborted = promise
    this.#onAbort = () => {
      this.abort()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** The data of the client that travels with the job. */
  get envelope(): Envelope {
    return { requestId: '', traceparent: undefined, deadline: this.deadline }
  }

  override get gone(): boolean {
    return this.#signal?.aborted ?? false
  }

  /** Leaves the signal, which may live longer than the job. */
  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

/** Messages that a thread of a pool may have at the same time: two keep it busy while a reply travels. */
export const MESSAGES_PER_THREAD = 2

/** Up to this number of waiting jobs travel in one message, because each message wakes a thread. */
export const JOBS_PER_MESSAGE = 32
