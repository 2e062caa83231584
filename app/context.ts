import { AsyncLocalStorage } from 'node:async_hooks'

/** What belongs to one request, from its first byte to its last. */
export class RequestContext {
  readonly requestId: string
  /** Milliseconds since the epoch by which the request's work must have begun. */
  readonly deadline: number
  /** The id of the trace that every span and log line of this request shares. */
  readonly traceId: string | undefined
  #onGone: Set<() => void> | undefined
  #gone = false

  /** @param traceparent W3C trace context of the request's span */
  constructor(requestId: string, deadline: number, traceparent: string | undefined) {
    this.requestId = requestId
    this.deadline = deadline
    this.traceId = traceparent?.split('-')[1]
  }

  /** Whether the client closed the connection before its answer was sent. */
  get gone(): boolean {
    return this.#gone
  }

  /** The client is gone: whoever waits on behalf of this request is told, once. */
  leave(): void {
    this.#gone = true
    for (const listener of this.#onGone ?? []) listener()
    this.#onGone = undefined
  }

  /** Calls `listener` when the client goes away; the function returned takes that back. */
  onGone(listener: () => void): () => void {
    this.#onGone ??= new Set()
    this.#onGone.add(listener)
    return () => this.#onGone?.delete(listener)
  }
}

/** The request that the running code works for. */
export const requestContext = new AsyncLocalStorage<RequestContext>()
