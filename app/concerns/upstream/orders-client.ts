import type { Pool } from 'undici'
import { record } from '../../../lib/record.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { Problem } from '../../problems.ts'
import { BodyCollector, type Ending } from './body-collector.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { createCircuitMemory } from './circuit-cell.ts'
import {
  type Caller,
  type Circuits,
  type CircuitTable,
  type Operation,
  type OrdersClient,
  operations,
  type Recorded,
  type Upstream,
  type UpstreamOptions,
} from './contract.ts'
import type { Semaphore } from './semaphore.ts'

/** A timer that is late by this time shows that this process was stopped or its thread busy, and read no answer. */
const AWAY_MS = 1000

/**
 * The header with the time left for the answer, in milliseconds. Envoy sends the same header to the services that it
 * calls.
 */
const BUDGET_HEADER = 'x-envoy-expected-rq-timeout-ms'

export interface OrdersClientOptions
  extends Pick<UpstreamOptions, 'timeoutMs' | 'accept' | 'onCircuitChange'> {
  readonly pool: Pool
  /** The memory of the circuits, which the threads of a process share. */
  readonly table: CircuitTable
  /** The places for calls at the same time. Absent if the caller has taken one. */
  readonly places?: Semaphore
}

/**
 * Calls the upstream over a pool of connections that are kept alive. It runs in any thread.
 *
 * The queue for `places` is our own and not that of the pool: undici begins a waiting call in the context of the request
 * that gave back the connection, so telemetry would assign the call to the wrong request.
 */
export function createOrdersClient(options: OrdersClientOptions) {
  const { pool, timeoutMs, accept, places } = options
  const circuits = createCircuits(options)
  const acquire = (begin: () => void) => (places ? places.acquire(begin) : begin())

  async function get(
    operation: Operation,
    query: string,
    caller: Caller,
    recorded?: Recorded,
  ): Promise<Uint8Array> {
    const leftMs = Math.ceil(caller.deadline - monotonicMs())
    if (caller.gone) throw new Problem('CLIENT_GONE')
    if (leftMs <= 0) throw new Problem('DEADLINE_PASSED')
    const circuit = circuits[operation]
    if (circuit.refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    const limitMs = Math.min(timeoutMs, leftMs)
    const askedAtMs = caller.deadline - leftMs
    const wasAway = () => monotonicMs() - askedAtMs > limitMs + AWAY_MS
    const headers = { accept, [BUDGET_HEADER]: String(limitMs), ...recorded?.headers }
    return new Promise((resolve, reject) => {
      const collector = new BodyCollector(limitMs, caller, resolve, reject)
      acquire(() => {
        const call = collector.isSettled ? undefined : circuit.begin()
        // The client has gone, or the circuit has opened, while the call waited: it is not sent.
        if (call === undefined) {
          collector.refuse()
          places?.release()
          return
        }
        collector.onSettled = (ending, times) => {
          places?.release()
          // A timeout is no failure of the upstream if the call had less than the usual time, or if this process did not run.
          const isLate = ending === 'UPSTREAM_TIMEOUT' && (limitMs < timeoutMs || wasAway())
          circuit[isLate ? 'abandoned' : verdicts[ending]](call)
          recorded?.onCalled(times)
        }
        collector.begin()
        pool.dispatch({ path: `/${operation}?${query}`, method: 'GET', headers }, collector)
      })
    })
  }

  return {
    fetchOrders: ({ count, payload, seed }, ...rest) =>
      get('orders', `count=${count}&payload=${payload}&seed=${seed}`, ...rest),
    fetchRecommendations: ({ count, seed }, ...rest) =>
      get('recommendations', `count=${count}&seed=${seed}`, ...rest),
    circuits,
    close: () => pool.close(),
  } satisfies OrdersClient & Pick<Upstream, 'circuits' | 'close'>
}

export const createCircuitTable = (): CircuitTable => record(operations, createCircuitMemory)

/** Creates the breakers of a thread. `onCircuitChange` is called for changes that calls of this thread cause. */
const createCircuits = ({ table, timeoutMs, onCircuitChange }: OrdersClientOptions): Circuits =>
  record(
    operations,
    operation =>
      new CircuitBreaker({
        memory: table[operation],
        trialLimitMs: timeoutMs + AWAY_MS,
        onChange: state => onCircuitChange(operation, state),
      }),
  )

/** The outcome that the circuit breaker is told for each ending of a call. */
const verdicts = {
  answered: 'succeeded',
  UPSTREAM_FAILED: 'failed',
  UPSTREAM_TIMEOUT: 'failed',
  UPSTREAM_UNAVAILABLE: 'abandoned',
  CLIENT_GONE: 'abandoned',
} as const satisfies Record<Ending, keyof CircuitBreaker>
