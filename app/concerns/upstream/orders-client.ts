import { Pool } from 'undici'
import { record } from '../../../lib/record.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Payload } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import type { Queue } from '../../overload/queue.ts'
import { Problem } from '../../problems.ts'
import { BodyCollector, type Ending } from './body-collector.ts'
import { CircuitBreaker, type CircuitState } from './circuit-breaker.ts'
import { Semaphore } from './semaphore.ts'

export interface OrdersClient {
  /**
   * Fetches orders, and returns the body of the answer without decoding it.
   * @throws Problem UPSTREAM_FAILED; UPSTREAM_TIMEOUT once the time limit or the deadline of the request is reached;
   * UPSTREAM_UNAVAILABLE, at once, while the circuit is open; CLIENT_GONE
   */
  fetchOrders(query: OrdersQuery, context: RequestContext): Promise<Uint8Array>
  /** Fetches recommendations in the same way. */
  fetchRecommendations(query: RecommendationsQuery, context: RequestContext): Promise<Uint8Array>
  /** The queue in which calls wait. */
  readonly queue: Queue
  /** The circuit breaker of each operation. */
  readonly circuits: Readonly<Record<Operation, CircuitBreaker>>
  close(): Promise<void>
}

export const operations = ['orders', 'recommendations'] as const
export type Operation = (typeof operations)[number]

export interface OrdersQuery {
  readonly count: number
  readonly payload: Payload
  readonly seed: number
}

export interface RecommendationsQuery {
  readonly count: number
  readonly seed: number
}

const CALLS_AT_ONCE = 128
/** A timer that is late by this time shows that this process was stopped or its main thread busy, and read no answer. */
const AWAY_MS = 1000

/**
 * The header with the time left for the answer, in milliseconds. Envoy sends the same header to the services that it
 * calls.
 */
const BUDGET_HEADER = 'x-envoy-expected-rq-timeout-ms'

/**
 * Calls the upstream over a pool of connections that are kept alive. `accept` is the media type in which orders should
 * be encoded.
 *
 * The queue is our own and not that of the pool: undici begins a waiting call in the context of the request that gave
 * back the connection, so telemetry would assign the call to the wrong request.
 */
export function createOrdersClient(
  url: string,
  timeoutMs: number,
  accept: string,
  onCircuitChange: (operation: Operation, state: CircuitState) => void = () => {},
): OrdersClient {
  const pool = new Pool(url, { pipelining: 1 })
  const places = new Semaphore(CALLS_AT_ONCE)
  const circuits = record(
    operations,
    operation => new CircuitBreaker({ onChange: state => onCircuitChange(operation, state) }),
  )

  async function get(operation: Operation, query: string, context: RequestContext): Promise<Uint8Array> {
    const leftMs = Math.ceil(context.deadline - monotonicMs())
    if (context.gone) throw new Problem('CLIENT_GONE')
    if (leftMs <= 0) throw new Problem('DEADLINE_PASSED')
    const circuit = circuits[operation]
    if (circuit.refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    const limitMs = Math.min(timeoutMs, leftMs)
    const askedAtMs = context.deadline - leftMs
    const wasAway = () => monotonicMs() - askedAtMs > limitMs + AWAY_MS
    const headers = { accept, [BUDGET_HEADER]: String(limitMs) }
    return new Promise((resolve, reject) => {
      const collector = new BodyCollector(limitMs, context, resolve, reject)
      places.acquire(() => {
        const call = collector.isSettled ? undefined : circuit.begin()
        // The client has gone, or the circuit has opened, while the call waited: it is not sent.
        if (call === undefined) {
          collector.refuse()
          places.release()
          return
        }
        collector.onSettled = ending => {
          places.release()
          // A timeout is no failure of the upstream if the call had less than the usual time, or if this process did not run.
          const isLate = ending === 'UPSTREAM_TIMEOUT' && (limitMs < timeoutMs || wasAway())
          circuit[isLate ? 'abandoned' : verdicts[ending]](call)
        }
        pool.dispatch({ path: `/${operation}?${query}`, method: 'GET', headers }, collector)
      })
    })
  }

  return {
    fetchOrders: ({ count, payload, seed }, context) =>
      get('orders', `count=${count}&payload=${payload}&seed=${seed}`, context),
    fetchRecommendations: ({ count, seed }, context) =>
      get('recommendations', `count=${count}&seed=${seed}`, context),
    queue: { workers: CALLS_AT_ONCE, oldestWaitMs: () => places.oldestWaitMs() },
    circuits,
    close: () => pool.close(),
  }
}

/** The outcome that the circuit breaker is told for each ending of a call. */
const verdicts = {
  answered: 'succeeded',
  UPSTREAM_FAILED: 'failed',
  UPSTREAM_TIMEOUT: 'failed',
  UPSTREAM_UNAVAILABLE: 'abandoned',
  CLIENT_GONE: 'abandoned',
} as const satisfies Record<Ending, keyof CircuitBreaker>
