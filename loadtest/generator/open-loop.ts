import { setTimeout as delay } from 'node:timers/promises'
import { schedule } from './arrivals.ts'
import { ANSWER_LIMIT_MS, ask, type Connections, connect } from './ask.ts'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import { HdrLatencies } from './latencies.ts'
import type { LoadWindow } from './load-window.ts'
import type { Load, LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

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
  const inFlight = new Set<Promise<unknown>>()
  const times = schedule(load)
  const startedAtMs = performance.now()
  let nextAtMs = startedAtMs + times.next().value
  let sent = 0
  let timer: NodeJS.Timeout | undefined

  function sendDue(): void {
    for (let nowMs = performance.now(); nextAtMs <= nowMs; nextAtMs = startedAtMs + times.next().value) {
      if (window.holds(nextAtMs)) lateness.record(nowMs - nextAtMs)
      const request = requests[sent++ % requests.length] as ExpectedRequest
      const answered = ask(pool, request, nextAtMs, window)
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
