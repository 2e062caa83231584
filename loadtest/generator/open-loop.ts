import { setTimeout as delay } from 'node:timers/promises'
import { ANSWER_LIMIT_MS, ask, type Connections, connect } from './ask.ts'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import { Latencies } from './latencies.ts'
import { schedule } from './load.ts'
import type { LoadWindow } from './load-window.ts'
import type { Load, LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

export interface OpenLoop {
  /** How long after they were due the requests of the window were sent. */
  readonly lateness: Latencies
  /** Sends no more requests, and waits for the answers to those already sent. */
  stop(): Promise<void>
}

/** A request, and the moment at which it is due. */
interface Due {
  readonly request: ExpectedRequest
  readonly atMs: number
}

/**
 * Starts an open loop: each request is sent when it is due, without waiting for earlier answers. When all connections
 * are busy, a request waits for one. That wait counts, because latency counts from the time when the request was due:
 * no request is omitted and no figure has to be corrected (Tene, How NOT to Measure Latency). A request that has waited
 * for {@link ANSWER_LIMIT_MS} is an error and is not sent any more, so that a server that has recovered serves requests
 * that somebody still waits for.
 */
export function startOpenLoop(
  order: LoadOrder,
  load: Load & { kind: 'open' },
  window: LoadWindow,
  pool: Connections = connect(order),
): OpenLoop {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  const lateness = new Latencies()
  const waiting: Due[] = []
  const inFlight = new Set<Promise<unknown>>()
  const times = schedule(load)
  const startedAtMs = performance.now()
  let nextAtMs = startedAtMs + times.next().value
  let count = 0
  let connections = order.connections
  let timer: NodeJS.Timeout | undefined

  function sendDue(): void {
    for (let nowMs = performance.now(); nextAtMs <= nowMs; nextAtMs = startedAtMs + times.next().value) {
      if (window.holds(nextAtMs)) lateness.record(nowMs - nextAtMs)
      waiting.push({ request: requests[count++ % requests.length] as ExpectedRequest, atMs: nextAtMs })
    }
    sendWaiting()
    timer = setTimeout(sendDue, Math.max(0, nextAtMs - performance.now()))
  }

  function sendWaiting(): void {
    const tooOldMs = performance.now() - ANSWER_LIMIT_MS
    for (let [first] = waiting; first; [first] = waiting) {
      if (first.atMs < tooOldMs) window.record('error', first.atMs, Number.NaN)
      else if (inFlight.size < connections) send(first)
      else return
      waiting.shift()
    }
  }

  function send({ request, atMs }: Due): void {
    const answered = ask(pool, request, atMs, window)
    inFlight.add(answered)
    answered.finally(() => {
      inFlight.delete(answered)
      sendWaiting()
    })
  }

  async function allAnswered(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight)
  }

  sendDue()
  return {
    lateness,
    async stop() {
      clearTimeout(timer)
      await Promise.race([allAnswered(), delay(ANSWER_LIMIT_MS, undefined, { ref: false })])
      await pool.destroy()
      // Requests that still wait fail at once now, and count as errors.
      connections = Number.POSITIVE_INFINITY
      sendWaiting()
      await allAnswered()
    },
  }
}
