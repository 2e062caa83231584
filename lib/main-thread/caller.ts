import type { Envelope } from '../threads/envelope.ts'
import type { Requester } from './job.ts'

/** A caller that waits as long as it takes. */
export const patient: Requester = { deadline: Number.POSITIVE_INFINITY, gone: false, onGone() {} }

/** The caller of a job, as the queue sees it: it has gone when its signal is aborted. */
export class Caller implements Requester {
  readonly deadline: number
  /** Rejects with the reason of the signal when that is aborted. */
  readonly aborted: Promise<never>
  readonly #signal: AbortSignal | undefined
  readonly #listeners: (() => void)[] = []
  readonly #onAbort: () => void

  /** @param deadline milliseconds by the monotonic clock by which the job must have begun */
  constructor(deadline: number, signal: AbortSignal | undefined) {
    this.deadline = deadline
    this.#signal = signal
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.aborted = promise
    this.#onAbort = () => {
      for (const listener of this.#listeners) listener()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', this.#onAbort)
  }

  /** The data of the caller that travels with the job. */
  get envelope(): Envelope {
    return { requestId: '', traceparent: undefined, deadline: this.deadline }
  }

  get gone(): boolean {
    return this.#signal?.aborted ?? false
  }

  onGone(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Leaves the signal, which may live longer than the job. */
  end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
