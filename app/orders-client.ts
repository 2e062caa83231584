import { type Dispatcher, Pool } from 'undici'
import { record } from '../lib/record.ts'
import type { Payload } from '../orders/order.ts'
import type { RequestContext } from './context.ts'
import { CircuitBreaker, type CircuitState } from './overload/circuit-breaker.ts'
import type { Lane } from './overload/lane.ts'
import { Problem } from './problems.ts'
import { Turns } from './turns.ts'

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

type Ending = 'answered' | 'UPSTREAM_FAILED' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_UNAVAILABLE' | 'CLIENT_GONE'

/** What an ending says of the upstream. */
const verdicts = {
  answered: 'succeeded',
  UPSTREAM_FAILED: 'failed',
  UPSTREAM_TIMEOUT: 'failed',
  UPSTREAM_UNAVAILABLE: 'abandoned',
  CLIENT_GONE: 'abandoned',
} as const satisfies Record<Ending, keyof CircuitBreaker>

/**
 * Collects one answer within a limit of time. undici's `request` would make a stream and an AbortSignal for each
 * call, whose cost is several times that of the call itself; its own time limits are coarse by half a second.
 */
class BodyCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (problem: Problem) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  readonly #stay: () => void
  #controller: Dispatcher.DispatchController | undefined
  #problem: Problem | undefined
  #isSettled = false
  /** Called once, unless it was refused. */
  onSettled: ((ending: Ending) => void) | undefined

  constructor(
    limitMs: number,
    context: RequestContext,
    resolve: (bytes: Uint8Array) => void,
    reject: (problem: Problem) => void,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#fail('UPSTREAM_TIMEOUT'), Math.max(0, limitMs))
    this.#stay = context.onGone(() => this.#fail('CLIENT_GONE'))
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** The call is not made. */
  refuse(): void {
    if (!this.#isSettled) this.#fail('UPSTREAM_UNAVAILABLE')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#problem) controller.abort(this.#problem)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) this.#fail('UPSTREAM_FAILED', new Error(`the orders service answered ${status}`))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settle('answered')
    this.#resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail('UPSTREAM_FAILED', error)
  }

  #fail(code: Exclude<Ending, 'answered'>, cause?: Error): void {
    if (this.#problem) return
    this.#settle(code)
    this.#problem = new Problem(code, undefined, cause)
    this.#reject(this.#problem)
    if (!this.#controller?.aborted) this.#controller?.abort(this.#problem)
  }

  #settle(ending: Ending): void {
    clearTimeout(this.#timer)
    this.#stay()
    this.#isSettled = true
    this.onSettled?.(ending)
  }
}
