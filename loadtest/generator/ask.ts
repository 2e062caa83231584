import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, Pool } from 'undici'
import { type ExpectedRequest, judgeAnswer } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder, Outcome } from './protocol.ts'

/** An answer that takes longer counts as an error. */
export const ANSWER_LIMIT_MS = 10_000

/** The connections to the server; a test in simulated time has its own. */
export interface Connections {
  /** @throws Error when there is no answer */
  get(path: string): Promise<Received>
  destroy(): Promise<void>
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly firstByteAtMs: number
}

export function connect({ url, connections }: Pick<LoadOrder, 'url' | 'connections'>): Connections {
  const pool = new Pool(url, { connections, headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS })
  return {
    get: path =>
      new Promise((resolve, reject) => pool.dispatch({ path, method: 'GET' }, new Receiver(resolve, reject))),
    destroy: () => pool.destroy(),
  }
}

/** Takes an answer without a stream for its body: a generator that saturates an app shares its cores. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #resolve: (received: Received) => void
  readonly #chunks: Buffer[] = []
  readonly onResponseError: (controller: unknown, error: Error) => void
  #head: Omit<Received, 'body'> | undefined

  constructor(resolve: (received: Received) => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.onResponseError = (_controller, error) => reject(error)
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#head = { status, headers, firstByteAtMs: performance.now() }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const [first, ...others] = this.#chunks
    const body = others.length === 0 ? first?.toString() : Buffer.concat(this.#chunks).toString()
    this.#resolve({ ...(this.#head as Omit<Received, 'body'>), body: body ?? '' })
  }
}

interface Answer {
  readonly outcome: Outcome
  /** The time that the server asks the client to wait (`Retry-After`); 0 if it does not ask. */
  readonly retryAfterMs: number
}

/**
 * Sends a request, checks its answer and records it. It never rejects: a connection that breaks is an error.
 * @param scheduledAtMs the moment at which the request was due; latency counts from there
 */
export async function ask(
  pool: Connections,
  expected: ExpectedRequest,
  scheduledAtMs: number,
  window: LoadWindow,
): Promise<Answer> {
  try {
    const { status, headers, body, firstByteAtMs } = await pool.get(expected.path)
    const outcome = judgeAnswer(expected, status, body)
    window.record(outcome, scheduledAtMs, firstByteAtMs)
    return { outcome, retryAfterMs: 1000 * (Number(headers['retry-after']) || 0) }
  } catch {
    window.record('error', scheduledAtMs, Number.NaN)
    return { outcome: 'error', retryAfterMs: 0 }
  }
}
