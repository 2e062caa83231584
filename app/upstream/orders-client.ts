import { Pool } from 'undici'
import { record } from '../../lib/record.ts'
import type { Payload } from '../../orders/order.ts'
import type { RequestContext } from '../context.ts'
import type { Lane } from '../overload/lane.ts'
import { Problem } from '../problems.ts'
import { BodyCollector, type Ending } from './body-collector.ts'
import { CircuitBreaker, type CircuitState } from './circuit-breaker.ts'
import { Turns } from './semaphore.ts'

export interface OrdersClient {
  /**
   * The undecoded answer of the upstream.
   * @throws Problem UPSTREAM_FAILED; UPSTREAM_TIMEOUT once the limit or the request's deadline is reached;
   * UPSTREAM_UNAVAILABLE, at once, while such calls fail anyway; CLIENT_GONE
   */
  fetchOrders(query: OrdersQuery, context: RequestContext): Promise<Uint8Array>
  /** The same of recommendations. */
  fetchRecommendations(query: RecommendationsQuery, context: RequestContext): Promise<Uint8Array>
  /** Where calls wait. */
  readonly lane: Lane
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

/** How much time is left for the answer, in milliseconds, as Envoy tells those it calls. */
const BUDGET_HEADER = 'x-envoy-expected-rq-timeout-ms'

/**
 * Calls the upstream over a pool of connections that are kept alive. `accept` says how orders are to be encoded.
 *
 * The queue is ours and not the pool's: undici begins a call that had to wait in the context of the request that gave
 * back the connection, and telemetry would take it for that request's.
 */
export function createOrdersClient(
  url: string,
  timeoutMs: number,
  accept: string,
  onCircuitChange: (operation: Operation, state: CircuitState) => void = () => {},
): OrdersClient {
  const pool = new Pool(url, { pipelining: 1 })
  const turns = new Turns(CALLS_AT_ONCE)
  const circuits = record(
    operations,
    operation => new CircuitBreaker({ onChange: state => onCircuitChange(operation, state) }),
  )

  async function get(operation: Operation, query: string, context: RequestContext): Promise<Uint8Array> {
    const leftMs = context.deadline - Date.now()
    if (context.gone) throw new Problem('CLIENT_GONE')
    if (leftMs <= 0) throw new Problem('DEADLINE_PASSED')
    const circuit = circuits[operation]
    if (circuit.refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    const limitMs = Math.min(timeoutMs, leftMs)
    const headers = { accept, [BUDGET_HEADER]: String(limitMs) }
    return new Promise((resolve, reject) => {
      const collector = new BodyCollector(limitMs, context, resolve, reject)
      turns.take(() => {
        const call = collector.isSettled ? undefined : circuit.begin()
        // It waited until nobody wanted it any more, or until it had no chance: then it is not sent.
        if (call === undefined) {
          collector.refuse()
          turns.giveBack()
          return
        }
        collector.onSettled = ending => {
          turns.giveBack()
          // Who was given less than the usual time is not to blame for being late.
          const isLate = ending === 'UPSTREAM_TIMEOUT' && limitMs < timeoutMs
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
    lane: { workers: CALLS_AT_ONCE, oldestWaitMs: () => turns.oldestWaitMs() },
    circuits,
    close: () => pool.close(),
  }
}

/** What an ending says of the upstream. */
const verdicts = {
  answered: 'succeeded',
  UPSTREAM_FAILED: 'failed',
  UPSTREAM_TIMEOUT: 'failed',
  UPSTREAM_UNAVAILABLE: 'abandoned',
  CLIENT_GONE: 'abandoned',
} as const satisfies Record<Ending, keyof CircuitBreaker>
