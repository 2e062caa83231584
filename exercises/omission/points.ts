import { mock } from 'node:test'
import { HdrLatencies } from '../../loadtest/generator/latencies.ts'
import { LoadWindow } from '../../loadtest/generator/load-window.ts'
import { startOpenLoop } from '../../loadtest/generator/open-loop.ts'
import type { Latency } from '../../loadtest/generator/protocol.ts'
import { simulateServer, simulateTime } from '../../loadtest/generator/simulated-time.fixture.ts'
import type { Point } from '../exercise.ts'

const FILE = 'loadtest/generator/open-loop.ts'
const RATE = 50
const INTERVAL_MS = 1000 / RATE
const WARMUP_MS = 200
const WINDOW_MS = 1500
const ANSWER_MS = 5
const PAUSE_MS = 400
const PAUSE_ENDS_AT_MS = 1200
const REQUESTS = WINDOW_MS / INTERVAL_MS

const load = { kind: 'open', ratePerSecond: RATE, arrivals: 'constant', seed: 1 } as const
const order = {
  url: 'simulated',
  scenario: 'hello',
  load,
  firstSeed: 1,
  connections: 50,
  warmupMs: WARMUP_MS,
  durationMs: WINDOW_MS,
  usageUrls: { app: 'simulated' },
} as const

/** The delay of an answer by a server that stands still before `PAUSE_ENDS_AT_MS`. */
const pausing = (atMs: number) =>
  ANSWER_MS + (atMs >= PAUSE_ENDS_AT_MS - PAUSE_MS && atMs < PAUSE_ENDS_AT_MS ? PAUSE_ENDS_AT_MS - atMs : 0)

/** Measures a server for the window, in simulated time. @param delayAt the delay of an answer, by the time of its request */
async function measure(delayAt: (sentAtMs: number) => number) {
  const time = simulateTime(mock)
  try {
    const window = new LoadWindow(() => new HdrLatencies())
    let sent = 0
    const server = simulateServer(atMs => {
      if (window.holds(atMs)) sent++
      return delayAt(atMs)
    })
    const { stop } = startOpenLoop(order, load, window, server)
    await time.pass(WARMUP_MS)
    window.open()
    await time.pass(WINDOW_MS)
    window.close()
    const stopped = stop()
    await time.pass(WINDOW_MS)
    await stopped
    return { sent, latencyMs: window.latencies.summary() }
  } finally {
    mock.restoreAll()
    mock.timers.reset()
  }
}

const percentiles = ['p50', 'p90', 'p99', 'max'] as const
const show = (latency: Latency) =>
  `${percentiles.map(name => `${name} ${Math.round(latency[name])}`).join(', ')} ms`

const steady: Latency = { p50: ANSWER_MS, p90: ANSWER_MS, p99: ANSWER_MS, max: ANSWER_MS }

/** The n-th longest latency, from 0: each request is due an interval later than the one before, and waits so much less. */
const longestMs = (n: number) => PAUSE_MS + ANSWER_MS - n * INTERVAL_MS

/** Of 75 latencies the histogram's p90 is the eighth longest, and its p99 the second longest. */
const paused: Latency = { p50: ANSWER_MS, p90: longestMs(7), p99: longestMs(1), max: longestMs(0) }

/** Compares the report on a server with the truth. */
async function seeReport(delayAt: (sentAtMs: number) => number, truth: Latency) {
  const { latencyMs } = await measure(delayAt)
  return show(latencyMs) === show(truth) ? undefined : show(latencyMs)
}

export const points: readonly Point[] = [
  {
    expects: `a server that answers in ${ANSWER_MS} ms is reported as ${show(steady)}`,
    look: `${FILE}: \`ask\` gets the time from which latency counts`,
    see: () => seeReport(() => ANSWER_MS, steady),
  },
  {
    expects: `all ${REQUESTS} requests that are due are sent, also those that are due while the server stands still`,
    look: `${FILE}: what does the function wait for that sends requests, and what becomes of those that are due meanwhile?`,
    async see() {
      const { sent } = await measure(pausing)
      return sent === REQUESTS
        ? undefined
        : `${sent} were sent; ${REQUESTS - sent} users are not in the report`
    },
  },
  {
    expects: `a server that stands still for ${PAUSE_MS} ms is reported as ${show(paused)}`,
    look: `${FILE}: \`ask\` gets the time from which latency counts. Every request that is due in the pause waits for its end`,
    see: () => seeReport(pausing, paused),
  },
]
