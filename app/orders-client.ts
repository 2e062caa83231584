import { type Dispatcher, Pool } from 'undici'
import type { Payload } from '../orders/order.ts'
import type { RequestContext } from './context.ts'
import { Problem } from './problems.ts'

export interface OrdersClient {
  /**
   * The undecoded answer of the upstream.
   * @throws Problem UPSTREAM_FAILED, or UPSTREAM_TIMEOUT once the limit or the request's deadline is reached
   */
  fetch(query: OrdersQuery, context: RequestContext): Promise<Uint8Array>
  close(): Promise<void>
}

export interface OrdersQuery {
  readonly count: number
  readonly payload: Payload
  readonly seed: number
}

/** Calls the upstream over a pool of connections that are kept alive. `accept` says how orders are to be encoded. */
export function createOrdersClient(url: string, timeoutMs: number, accept: string): OrdersClient {
  const pool = new Pool(url, { connections: 128, pipelining: 1 })
  const headers = { accept }
  return {
    fetch({ count, payload, seed }, context) {
      const path = `/orders?count=${count}&payload=${payload}&seed=${seed}`
      const limitMs = Math.min(timeoutMs, context.deadline - Date.now())
      return new Promise((resolve, reject) => {
        pool.dispatch({ path, method: 'GET', headers }, new BodyCollector(limitMs, resolve, reject))
      })
    },
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
  #controller: Dispatcher.DispatchController | undefined

  constructor(limitMs: number, resolve: (bytes: Uint8Array) => void, reject: (problem: Problem) => void) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#fail('UPSTREAM_TIMEOUT'), limitMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) this.#fail('UPSTREAM_FAILED', new Error(`the orders service answered ${status}`))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail('UPSTREAM_FAILED', error)
  }

  #fail(code: 'UPSTREAM_FAILED' | 'UPSTREAM_TIMEOUT', cause?: Error): void {
    clearTimeout(this.#timer)
    const problem = new Problem(code, undefined, cause)
    this.#reject(problem)
    if (!this.#controller?.aborted) this.#controller?.abort(problem)
  }
}
