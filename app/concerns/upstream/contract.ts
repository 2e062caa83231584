import type { Queue } from '../../../lib/main-thread/watched-queue.ts'
import type { CallHeaders, CallRecorder, CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { OrdersQuery } from '../../../orders/order.ts'
import type { SpanHandle } from '../../context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { CircuitMemory, CircuitState } from './circuit-cell.ts'

/** Calls the upstream. The calls are the same wherever they are made. */
export interface OrdersClient {
  /**
   * Fetches orders, and returns the body of the answer without decoding it.
   * @throws Problem UPSTREAM_FAILED; UPSTREAM_TIMEOUT once the time limit or the deadline of the request is reached;
   * UPSTREAM_UNAVAILABLE, at once, while the circuit is open; DEADLINE_PASSED; CLIENT_GONE
   */
  fetchOrders(query: OrdersQuery, caller: Caller, recorded?: Recorded): Promise<Uint8Array>
  /** Fetches recommendations in the same way. */
  fetchRecommendations(query: RecommendationsQuery, caller: Caller, recorded?: Recorded): Promise<Uint8Array>
}

/** The concern as the app uses it: a client for the main thread, and one for other threads if they fetch themselves. */
export interface Upstream extends OrdersClient {
  /** The queue in which calls wait. */
  readonly queue: Queue
  /** The circuit breaker of each operation. */
  readonly circuits: Circuits
  /** For threads that fetch what they need. Absent if the main thread makes all calls. */
  readonly inThreads?: InThreads
  close(): Promise<void>
}

/** The upstream for threads that fetch for themselves: the data that they start with, and the calls of the main thread. */
export interface InThreads {
  /** The data with which a thread creates its client. It is sent to the thread when it starts. */
  readonly data: ThreadData
  /**
   * Begins a call that a thread makes for the request with the span `parent`. Until it ends, it takes one of the places
   * for calls of this process.
   * @returns a promise only if the call has to wait for its place
   * @throws Problem UPSTREAM_UNAVAILABLE while the circuit is open
   */
  call(operation: Operation, parent: SpanHandle): ThreadCall | Promise<ThreadCall>
  /** Records a call that a thread makes. It takes no place: the caller limits the number of its calls. */
  begin(parent: SpanHandle): ThreadCall
}

/** The record of a call that a thread makes, until it is ended or dropped; what comes after that does nothing. */
export interface ThreadCall {
  /** Names the call for {@link ThreadClient.endLate}. */
  readonly id: number
  /** The headers that the call has to pass on. */
  readonly headers: CallHeaders
  end(times: CallTimes): void
  /** Says that no call was made, or that nobody knows its end, because its thread died. */
  drop(): void
  /** Says that nobody waits for the call any more. The thread may still tell its end, until a while after this deadline. */
  abandon(deadline: number): void
}

export const operations = ['orders', 'recommendations'] as const
export type Operation = (typeof operations)[number]
export type Circuits = Readonly<Record<Operation, CircuitBreaker>>

/** The memory of the circuits of a process. */
export type CircuitTable = Readonly<Record<Operation, CircuitMemory>>

/** What threads tell the main thread. */
export type ThreadNews =
  /** A call of the thread has changed a circuit. */
  | { readonly kind: 'circuit'; readonly change: readonly [operation: Operation, state: CircuitState] }
  /** A call has ended for whose end nobody waited. */
  | { readonly kind: 'late call'; readonly call: readonly [id: number, times: CallTimes] }

/** The client of a thread. */
export interface ThreadClient extends OrdersClient {
  /** Tells the main thread that a call has ended. It is the one that `ThreadCall.id` names there. */
  endLate(id: number, times: CallTimes): void
}

/** The data with which a thread creates its client. A message may contain it. */
export interface ThreadData extends Pick<UpstreamOptions, 'url' | 'timeoutMs' | 'accept'> {
  readonly table: CircuitTable
  /** The channel of the {@link ThreadNews}. */
  readonly channel: string
}

export interface RecommendationsQuery {
  readonly count: number
  readonly seed: number
}

/** The request for which a call is made, or the part of it that a thread works on. */
export interface Caller {
  /** Milliseconds by the monotonic clock. */
  readonly deadline: number
  /** Whether the client has left. */
  readonly gone: boolean
  /** Calls `listener` when the client leaves. The returned function removes the listener. */
  onGone(listener: () => void): () => void
}

/** The record that a thread makes of a call; on the main thread, telemetry makes it by itself. */
export interface Recorded {
  /** Headers that the call passes on. */
  readonly headers: CallHeaders
  /** Called when the call has ended; not if none was made. */
  onCalled(times: CallTimes): void
}

export interface UpstreamOptions {
  /** Origin of the upstream. */
  readonly url: string
  /** The time limit of a call, in milliseconds. */
  readonly timeoutMs: number
  /** The media type in which orders should be encoded. */
  readonly accept: string
  /** Records the calls that threads make. */
  readonly apm: CallRecorder
  /** Called once for each change of a circuit, whichever thread caused it. */
  onCircuitChange(operation: Operation, state: CircuitState): void
}

export type CreateUpstream = (options: UpstreamOptions) => Upstream
