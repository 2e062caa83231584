import { ask, connect } from './ask.ts'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import { type Pause, startClients } from './load.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

type ClosedOrder = Pick<LoadOrder, 'url' | 'scenario' | 'connections' | 'firstSeed'>

/**
 * Starts a closed loop, whose answers are checked and recorded in `window`.
 * @param pauseAfter how long a client pauses after so many errors in a row; it never pauses by default
 * @returns a function that stops the load
 */
export function startClosedLoop(
  order: ClosedOrder,
  window: LoadWindow,
  pauseAfter: (failures: number, retryAfterMs: number) => number = () => 0,
  pause?: Pause,
): () => Promise<void> {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  const pool = connect(order)
  const failures = new Uint32Array(order.connections)
  let asked = 0
  const stop = startClients(
    order.connections,
    async client => {
      const request = requests[asked++ % requests.length] as ExpectedRequest
      const { outcome, retryAfterMs } = await ask(pool, request, performance.now(), window)
      const failed = outcome === 'error' || outcome === 'refused' ? (failures[client] ?? 0) + 1 : 0
      failures[client] = failed
      return failed > 0 ? pauseAfter(failed, retryAfterMs) : 0
    },
    pause,
  )
  return async () => {
    await stop()
    await pool.destroy()
  }
}

const FIRST_PAUSE_MS = 50
/** Without its random part. It is short, so that the load is full again soon after a fault is over. */
const LONGEST_PAUSE_MS = 1000
/** A pause is longer by a random part of this share: clients that were refused together come back one by one. */
const JITTER = 0.5

/**
 * Starts a closed loop whose clients pause after errors. Without pauses they would send thousands of requests a second to an
 * app that refuses them, and would then mostly show the cost of refusals.
 */
export const startPatientLoop = (order: ClosedOrder, window: LoadWindow, pause?: Pause) =>
  startClosedLoop(order, window, pauseMs, pause)

/**
 * The pause of a client. It doubles with each error in a row, is at least what the server asks for, and is bounded.
 * @param failures number of errors in a row, from 1
 * @param random a number from 0 to 1
 */
export function pauseMs(failures: number, retryAfterMs: number, random: number = Math.random()): number {
  const wantedMs = Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), retryAfterMs)
  return Math.min(LONGEST_PAUSE_MS, wantedMs) * (1 + JITTER * random)
}
