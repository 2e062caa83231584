import { setTimeout as delay } from 'node:timers/promises'
import { ask, connect } from './ask.ts'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

const FIRST_PAUSE_MS = 50
/** The longest pause without its random part. It is short, so that the load is full again soon after a fault is over. */
const LONGEST_PAUSE_MS = 1000
/** A pause is longer by a random part of this share: clients that were refused together come back one by one. */
const JITTER = 0.5

/**
 * Starts clients that each send the next request as soon as the last is answered, as a closed loop does, but pause
 * after an error. A closed loop without pauses would send thousands of requests a second to an app that refuses them,
 * and would then mostly show the cost of refusals.
 * @param pause waits for some milliseconds, or until the signal is aborted
 * @returns a function that stops the load and waits for the answers to requests already sent
 */
export function startPatientLoop(
  order: Pick<LoadOrder, 'url' | 'scenario' | 'connections' | 'firstSeed'>,
  window: LoadWindow,
  pause: (ms: number, signal: AbortSignal) => Promise<unknown> = pauseUntilAborted,
): () => Promise<void> {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  const pool = connect(order)
  const stopping = new AbortController()
  let asked = 0

  async function keepAsking(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const request = requests[asked++ % requests.length] as ExpectedRequest
      const { outcome, retryAfterMs } = await ask(pool, request, performance.now(), window)
      failures = outcome === 'error' || outcome === 'refused' ? failures + 1 : 0
      if (failures > 0) await pause(pauseMs(failures, retryAfterMs), stopping.signal)
    }
  }

  const clients = Array.from({ length: order.connections }, keepAsking)
  return async () => {
    stopping.abort()
    await Promise.all(clients)
    await pool.destroy()
  }
}

/**
 * The pause of a client in milliseconds. It doubles with each error in a row, is at least the time that the server asks
 * for, and is bounded.
 * @param failures number of errors in a row, from 1
 * @param random a number from 0 to 1
 */
export function pauseMs(failures: number, retryAfterMs: number, random: number = Math.random()): number {
  const wantedMs = Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), retryAfterMs)
  return Math.min(LONGEST_PAUSE_MS, wantedMs) * (1 + JITTER * random)
}

const pauseUntilAborted = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {})
