import { type Dispatcher, Pool } from 'undici'
import type { Payload } from '../orders/order.ts'
import type { RequestContext } from './context.ts'
import { Problem } from './problems.ts'
import { Turns } from './turns.ts'

export interface OrdersClient {
  /**
   * The undecoded answer of the upstream.
   * @throws Problem UPSTREAM_FAILED; UPSTREAM_TIMEOUT once the limit or the request's deadline is reached; CLIENT_GONE
   */
  fetchOrders(query: OrdersQuery, context: RequestContext): Promise<Uint8Array>
  /** The same of recommendations. */
  fetchRecommendations(query: RecommendationsQuery, context: RequestContext): Promise<Uint8Array>
  close(): Promise<void>
}

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

/**
 * Calls the upstream over a pool of connections that are kept alive. `accept` says how orders are to be encoded.
 *
 * The queue is ours and not the pool's: undici begins a call that had to wait in the context of the request that gave
 * back the connection, and telemetry would take it for that request's.
 */
export function createOrdersClient(url: string, timeoutMs: number, accept: string): OrdersClient {
  const pool = new Pool(url, { pipelining: 1 })
  const turns = new Turns(CALLS_AT_ONCE)
  const headers = { accept }
  function get(path: string, context: RequestContext): Promise<Uint8Array> {
    const limitMs = Math.min(timeoutMs, context.deadline - Date.now())
    return new Promise((resolve, reject) => {
      const collector = new BodyCollector(limitMs, context, resolve, reject)
      turns.take(() => {
        collector.onceSettled(() => turns.giveBack())
        // It waited until nobody wanted it any more: then it is not sent.
        if (!collector.isSettled) pool.dispatch({ path, method: 'GET', headers }, collector)
      })
    })
  }
  return {
    fetchOrders: ({ count, payload, seed }, context) =>
      get(`/orders?count=${count}&payload=${payload}&seed=${seed}`, context),
    fetchRecommendations: ({ count, seed }, context) =>
      get(`/recommendations?count=${count}&seed=${seed}`, context),
    close: () => pool.close(),
  }
}

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
  #onSettled: (() => void) | undefined

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

  /** At once, when it already is. */
  onceSettled(listener: () => void): void {
    if (this.#isSettled) listener()
    else this.#onSettled = listener
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
    this.#settle()
    this.#resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail('UPSTREAM_FAILED', error)
  }

  #fail(code: 'UPSTREAM_FAILED' | 'UPSTREAM_TIMEOUT' | 'CLIENT_GONE', cause?: Error): void {
    if (this.#problem) return
    this.#settle()
    this.#problem = new Problem(code, undefined, cause)
    this.#reject(this.#problem)
    if (!this.#controller?.aborted) this.#controller?.abort(this.#problem)
  }

  #settle(): void {
    clearTimeout(this.#timer)
    this.#stay()
    this.#isSettled = true
    this.#onSettled?.()
  }
}
