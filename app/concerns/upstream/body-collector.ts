import type { Dispatcher } from 'undici'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { errorTypeOf } from '../../../lib/telemetry/error-type.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { Problem } from '../../problems.ts'
import type { Caller } from './contract.ts'

/** A longer body fails its call, so that it cannot fill the memory of the process. */
const MAX_BODY_BYTES = 16 * 2 ** 20

/** The outcome of a call. */
export type Ending =
  | 'answered'
  | 'UPSTREAM_FAILED'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'CLIENT_GONE'

/**
 * Collects the body of one answer within a time limit. `request` of undici would make a stream and an AbortSignal for
 * each call; its own time limits are coarse by half a second.
 */
export class BodyCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (problem: Problem) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  readonly #stay: () => void
  #controller: Dispatcher.DispatchController | undefined
  #sentAtMs = 0
  #status = 0
  #bodyBytes = 0
  #problem: Problem | undefined
  #isSettled = false
  /** Called once when the call has ended, but not when it was refused. */
  onSettled: ((ending: Ending, times: CallTimes) => void) | undefined

  constructor(
    limitMs: number,
    caller: Pick<Caller, 'onGone'>,
    resolve: (bytes: Uint8Array) => void,
    reject: (problem: Problem) => void,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    // A thread that was busy has due timers before it reads its connections. An answer that has come by then counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#expire()), Math.max(0, limitMs))
    this.#stay = caller.onGone(() => this.#fail('CLIENT_GONE'))
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Fails the call because it was not made. */
  refuse(): void {
    if (!this.#isSettled) this.#fail('UPSTREAM_UNAVAILABLE')
  }

  /** Notes that the call is made now. */
  begin(): void {
    this.#sentAtMs = monotonicMs()
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
    this.#settle('answered')
    this.#resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail('UPSTREAM_FAILED', error)
  }

  #expire(): void {
    if (!this.#isSettled) this.#fail('UPSTREAM_TIMEOUT')
  }

  #fail(code: Exclude<Ending, 'answered'>, cause?: Error): void {
    if (this.#problem) return
    this.#problem = new Problem(code, undefined, cause)
    this.#settle(code, cause && this.#status === 0 ? cause : this.#problem)
    this.#reject(this.#problem)
    if (!this.#controller?.aborted) this.#controller?.abort(this.#problem)
  }

  #settle(ending: Ending, error?: Error): void {
    clearTimeout(this.#timer)
    this.#stay()
    this.#isSettled = true
    this.onSettled?.(ending, {
      startedAtMs: this.#sentAtMs,
      durationMs: monotonicMs() - this.#sentAtMs,
      wasSent: this.#controller !== undefined,
      status: this.#status,
      errorType: error && errorTypeOf(error),
    })
  }
}
