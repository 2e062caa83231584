import { Pool } from 'undici'
import { type ExpectedRequest, judgeAnswer } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder, Outcome } from './protocol.ts'

/** An answer that takes longer counts as an error. */
export const ANSWER_LIMIT_MS = 10_000

/** The connections to the server; a test in simulated time has its own. */
export type Connections = Pick<Pool, 'request' | 'destroy'>

export const connect = ({ url, connections }: Pick<LoadOrder, 'url' | 'connections'>): Connections =>
  new Pool(url, { connections, headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS })

export interface Answer {
  readonly outcome: Outcome
  /** The time that the server asks the client to wait (`Retry-After`); 0 if it does not ask. */
  readonly retryAfterMs: number
}

/**
 * Sends a request, checks its answer and records it. It never rejects: a connection that cannot be opened or breaks is
 * an error.
 * @param scheduledAtMs the moment at which the request was due; latency counts from there
 */
export async function ask(
  pool: Connections,
  expected: ExpectedRequest,
  scheduledAtMs: number,
  window: LoadWindow,
): Promise<Answer> {
  try {
    const { statusCode, headers, body } = await pool.request({ path: expected.path, method: 'GET' })
    const firstByteAtMs = performance.now()
    const outcome = judgeAnswer(expected, statusCode, headers, await body.text())
    window.recordScheduled(outcome, scheduledAtMs, firstByteAtMs)
    return { outcome, retryAfterMs: 1000 * (Number(headers['retry-after']) || 0) }
  } catch {
    window.recordScheduled('error', scheduledAtMs, Number.NaN)
    return { outcome: 'error', retryAfterMs: 0 }
  }
}
