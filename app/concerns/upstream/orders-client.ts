import { type Dispatcher, Pool } from 'undici'
import { type CallHeaders, type CallTimes, errorTypeOf } from '../../../lib/telemetry/call-times.ts'
import type { WaitingClient } from '../../../lib/threads/envelope.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { OrdersQuery } from '../../../orders/order.ts'
import { Problem } from '../../problems.ts'

/** Calls the upstream. The calls are the same wherever they are made. */
export interface OrdersClient {
  /**
   * Fetches orders, and returns the body of the answer without decoding it.
   * @throws Problem UPSTREAM_FAILED; UPSTREAM_TIMEOUT once the time limit or the deadline is reached; DEADLINE_PASSED;
   * CLIENT_GONE
   */
  fetchOrders(query: OrdersQuery, client: WaitingClient, record?: CallRecord): Promise<Uint8Array>
  fetchRecommendations(
    query: RecommendationsQuery,
    client: WaitingClient,
    record?: CallRecord,
  ): Promise<Uint8Array>
  close(): Promise<void>
}

export interface RecommendationsQuery {
  readonly count: number
  readonly seed: number
}

/** The record of a call where telemetry does not make it by itself. */
export interface CallRecord {
  readonly headers: CallHeaders
  /** Called when the call has ended; not if none was made. */
  onEnd(times: CallTimes): void
}

export interface ClientOptions {
  readonly url: string
  readonly timeoutMs: number
  /** The media type in which orders should be encoded. */
  readonly accept: string
}

/**
 * The header with the time left for the answer, in milliseconds. Envoy sends the same header to the services that it
 * calls.
 */
const BUDGET_HEADER = 'x-envoy-expected-rq-timeout-ms'

/** A longer body fails its call, so that it cannot fill the memory of the process. */
const MAX_BODY_BYTES = 16 * 2 ** 20

/** Calls the upstream over a pool of connections that are kept alive. */
export function createOrdersClient({ url, timeoutMs, accept }: ClientOptions): OrdersClient {
  const pool = new Pool(url, { pipelining: 1 })

  async function get(path: string, client: WaitingClient, record?: CallRecord): Promise<Uint8Array> {
    const leftMs = Math.ceil(client.deadline - monotonicMs())
    if (client.gone) throw new Problem('CLIENT_GONE')
    if (leftMs <= 0) throw new Problem('DEADLINE_PASSED')
    const limitMs = Math.min(timeoutMs, leftMs)
    const headers = { accept, [BUDGET_HEADER]: String(limitMs), ...record?.headers }
    const answer = new AnswerCollector(limitMs, client, record)
    pool.dispatch({ path, method: 'GET', headers }, answer)
    return answer.body
  }

  return {
    fetchOrders: ({ count, payload, seed }, ...rest) =>
      get(`/orders?count=${count}&payload=${payload}&seed=${seed}`, ...rest),
    fetchRecommendations: ({ count, seed }, ...rest) =>
      get(`/recommendations?count=${count}&seed=${seed}`, ...rest),
    close: () => pool.close(),
  }
}

/**
 * Collects the body of one answer within a time limit. `request` of undici would make a stream and an AbortSignal for
 * each call; its own time limits are coarse by half a second.
 */
export class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #body = Promise.withResolvers<Uint8Array>()
  readonly #startedAtMs = monotonicMs()
  readonly #record: CallRecord | undefined
  readonly #timer: NodeJS.Timeout
  readonly #removeListener: () => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #bodyBytes = 0
  #isSettled = false
  #problem: Problem | undefined

  constructor(limitMs: number, client: Pick<WaitingClient, 'onGone'>, record?: CallRecord) {
    this.#record = record
    // A thread that was busy has due timers before it reads its connections. An answer that has come by then counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#fail('UPSTREAM_TIMEOUT')), limitMs)
    this.#removeListener = client.onGone(() => this.#fail('CLIENT_GONE'))
  }

  get body(): Promise<Uint8Array> {
    return this.#body.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#problem) controller.abort(this.#problem)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
    if (status !== 200) this.#fail('UPSTREAM_FAILED', new Error(`the orders service answered ${status}`))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > MAX_BODY_BYTES)
      this.#fail('UPSTREAM_FAILED', new Error('the body of the answer is too long'))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#isSettled) return
    this.#settle()
    this.#body.resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail('UPSTREAM_FAILED', error)
  }

  #fail(code: 'UPSTREAM_FAILED' | 'UPSTREAM_TIMEOUT' | 'CLIENT_GONE', cause?: Error): void {
    if (this.#isSettled) return
    const problem = new Problem(code, undefined, cause)
    this.#problem = problem
    this.#settle(cause && this.#status === 0 ? cause : problem)
    this.#body.reject(problem)
    if (!this.#controller?.aborted) this.#controller?.abort(problem)
  }

  #settle(error?: Error): void {
    clearTimeout(this.#timer)
    this.#removeListener()
    this.#isSettled = true
    this.#record?.onEnd({
      startedAtMs: this.#startedAtMs,
      durationMs: monotonicMs() - this.#startedAtMs,
      wasSent: this.#controller !== undefined,
      status: this.#status,
      errorType: error && errorTypeOf(error),
    })
  }
}
