import { AsyncLocalStorage } from 'node:async_hooks'
import type { Apm, SpanHandle } from './concerns/apm/contract.ts'

/** What belongs to one request, from its first byte to its last. */
export class RequestContext {
  readonly requestId: string
  /** Milliseconds since the epoch by which the request's work must have begun. */
  readonly deadline: number
  readonly span: SpanHandle
  readonly #apm: Pick<Apm, 'traceparent'>
  #traceId: string | undefined
  #onGone: Set<() => void> | undefined
  #gone = false

  /** @param span the request's, by which `apm` knows it */
  constructor(
    requestId: string,
    deadline: number,
    span?: SpanHandle,
    apm: Pick<Apm, 'traceparent'> = untraced,
  ) {
    this.requestId = requestId
    this.deadline = deadline
    this.span = span
    this.#apm = apm
  }

  /** The id of the trace that every span and log line of this request shares. */
  get traceId(): string | undefined {
    this.#traceId ??= this.traceparent?.slice(3, 35)
    return this.#traceId
  }

  /** W3C trace context of the request's span. */
  get traceparent(): string | undefined {
    return this.#apm.traceparent(this.span)
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

/** The span of the request that the running code works for. */
export const currentSpan = (): SpanHandle => requestContext.getStore()?.span

const untraced = { traceparent: () => undefined }
