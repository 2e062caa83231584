import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { schedule } from './arrivals.ts'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import { HdrLatencies } from './latencies.ts'
import type { LoadWindow } from './load-window.ts'
import type { Load, LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

const ANSWER_LIMIT_MS = 10_000

/** The connections to the server; a test in simulated time has its own. */
export type Connections = Pick<Pool, 'request' | 'destroy'>

export interface OpenLoop {
  /** How long after they were due the requests of the window were sent. */
  readonly lateness: HdrLatencies
  /** Sends no more requests, and waits for the answers to those already sent. */
  stop(): Promise<void>
}

/**
 * Starts an open loop: each request is sent when it is due, without waiting for earlier answers. When all connections
 * are busy, a request waits for one. That wait counts, because latency counts from the time when the request was due:
 * no request is omitted and no figure has to be corrected (Tene, How NOT to Measure Latency).
 */
export function startOpenLoop(
  order: LoadOrder,
  load: Load & { kind: 'open' },
  window: LoadWindow,
  pool: Connections = connect(order),
): OpenLoop {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  const lateness = new HdrLatencies()
  const inFlight = new Set<Promise<void>>()
  const times = schedule(load)
  const startedAtMs = performance.now()
  let nextAtMs = startedAtMs + times.next().value
  let sent = 0
  let timer: NodeJS.Timeout | undefined

  function sendDue(): void {
    for (let nowMs = performance.now(); nextAtMs <= nowMs; nextAtMs = startedAtMs + times.next().value) {
      if (window.holds(nextAtMs)) lateness.record(nowMs - nextAtMs)
      const answered = ask(pool, requests[sent++ % requests.length] as ExpectedRequest, nextAtMs, window)
      inFlight.add(answered)
      answered.finally(() => inFlight.delete(answered))
    }
    timer = setTimeout(sendDue, Math.max(0, nextAtMs - performance.now()))
  }

  sendDue()
  return {
    lateness,
    async stop() {
      clearTimeout(timer)
      const limit = delay(ANSWER_LIMIT_MS, undefined, { ref: false })
      await Promise.race([Promise.all(inFlight), limit])
      await pool.destroy()
      await Promise.all(inFlight)
    },
  }
}

const connect = ({ url, connections }: LoadOrder) =>
  new Pool(url, { connections, headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS })

async function ask(pool: Connections, expected: ExpectedRequest, scheduledAtMs: number, window: LoadWindow) {
  try {
    const { statusCode, body } = await pool.request({ path: expected.path, method: 'GET' })
    const firstByteAtMs = performance.now()
    const received = await body.text()
    const outcome = statusCode !== 200 ? 'error' : received === expected.body ? 'good' : 'wrong body'
    window.recordScheduled(outcome, scheduledAtMs, firstByteAtMs)
  } catch {
    window.recordScheduled('error', scheduledAtMs, Number.NaN)
  }
}
