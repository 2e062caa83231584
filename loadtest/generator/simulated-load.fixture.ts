import type { MockTracker } from 'node:test'
import { LoadWindow } from './load-window.ts'
import { startOpenLoop } from './open-loop.ts'
import type { Load, LoadOrder } from './protocol.ts'
import { simulateServer, simulateTime } from './simulated-time.fixture.ts'

/** Low, so that a busy machine has time for it, too. */
export const RATE = 50
export const INTERVAL_MS = 1000 / RATE
export const WARMUP_MS = 200
export const WINDOW_MS = 1500
/** Number of requests that are due in the window. */
export const REQUESTS = WINDOW_MS / INTERVAL_MS

export const constant = { kind: 'open', ratePerSecond: RATE, arrivals: 'constant', seed: 1 } as const

export const orderTo = (url: string, load: Load = constant): LoadOrder => ({
  url,
  scenario: 'hello',
  load,
  firstSeed: 1,
  connections: 50,
  warmupMs: WARMUP_MS,
  durationMs: WINDOW_MS,
  usageUrls: { app: `${url}/usage` },
})

/**
 * Runs an open loop in simulated time against a server.
 * @param delayAt the delay of an answer, by the time of its request
 * @param during lets the time of the window pass
 */
export async function simulateOpenLoop(
  mock: MockTracker,
  delayAt: (sentAtMs: number) => number,
  during = ({ pass }: ReturnType<typeof simulateTime>) => pass(WINDOW_MS),
) {
  const time = simulateTime(mock)
  const window = new LoadWindow()
  const { stop, lateness } = startOpenLoop(orderTo('simulated'), constant, window, simulateServer(delayAt))
  await time.pass(WARMUP_MS)
  window.open()
  await during(time)
  window.close()
  const stopped = stop()
  await time.pass(WINDOW_MS)
  await stopped
  return { ...window, latencyMs: window.latencies.summary(), latenessMs: lateness.summary() }
}
