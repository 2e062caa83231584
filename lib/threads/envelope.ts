import { monotonicMs } from '../units.ts'

/** The data of its request that every task and page part carries, because AsyncLocalStorage does not cross threads. */
export interface Envelope {
  readonly requestId: string
  /** The W3C trace context of the span to which the work belongs. */
  readonly traceparent: string | undefined
  /** Milliseconds by the monotonic clock; after this time the work is not started. */
  readonly deadline: number
}

export const isLate = ({ deadline }: Envelope): boolean => monotonicMs() >= deadline

/** The client of a request, as the work for it sees it. */
export class ClientWatch {
  #gone = false
  #listeners: Set<() => void> | undefined

  /** Whether nobody waits for the answer any more: the client has closed the connection, or the answer is late. */
  get gone(): boolean {
    return this.#gone
  }

  /** Calls `listener` when the client goes away. The returned function removes the listener. */
  onGone(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  /** Notes that the client has gone, and calls every listener once. */
  abort(): void {
    this.#gone = true
    for (const listener of this.#listeners ?? []) listener()
    this.#listeners = undefined
  }
}

/** The client for which some work is done, and the time by which the work must have begun. */
export interface WaitingClient extends Pick<ClientWatch, 'gone' | 'onGone'> {
  /** Milliseconds by the monotonic clock. */
  readonly deadline: number
}

/** Copies bytes that are at most half of the memory behind them: a message to another thread copies all of that. */
export const compactBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength < 2 * bytes.length ? bytes : new Uint8Array(bytes)

/** The client of a request whose end a signal tells. */
export function watchOf(signal: AbortSignal): ClientWatch {
  const watch = new ClientWatch()
  signal.addEventListener('abort', () => watch.abort())
  return watch
}
