import { Pool } from 'undici'
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
  return {
    async fetch({ count, payload, seed }, context) {
      const path = `/orders?count=${count}&payload=${payload}&seed=${seed}`
      const limit = limitTime(Math.min(timeoutMs, context.deadline - Date.now()))
      try {
        const { statusCode, body } = await pool.request({
          path,
          method: 'GET',
          headers: { accept },
          signal: limit.signal,
        })
        const bytes = await body.bytes()
        if (statusCode !== 200) throw new Error(`upstream answered ${statusCode}`)
        return bytes
      } catch (error) {
        throw new Problem(limit.signal.aborted ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILED', undefined, error)
      } finally {
        limit.lift()
      }
    },
    close: () => pool.close(),
  }
}

/** Unlike AbortSignal.timeout, the timer is gone when the call is: a busy service makes thousands a second. */
function limitTime(ms: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), Math.max(0, ms))
  return { signal: controller.signal, lift: () => clearTimeout(timer) }
}
