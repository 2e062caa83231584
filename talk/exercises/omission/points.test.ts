import { mock } from 'node:test'
import type { Latency } from '../../../loadtest/generator/protocol.ts'
import {
  INTERVAL_MS,
  REQUESTS,
  simulateOpenLoop,
  WARMUP_MS,
  WINDOW_MS,
} from '../../../loadtest/generator/simulated-load.fixture.ts'
import { expectPoints } from '../point.fixture.ts'

const FILE = 'loadtest/generator/open-loop.ts'
const ANSWER_MS = 5
const PAUSE_MS = 400
const PAUSE_ENDS_AT_MS = 1200

/** The delay of an answer by a server that stands still before `PAUSE_ENDS_AT_MS`. */
const pausing = (atMs: number) =>
  ANSWER_MS + (atMs >= PAUSE_ENDS_AT_MS - PAUSE_MS && atMs < PAUSE_ENDS_AT_MS ? PAUSE_ENDS_AT_MS - atMs : 0)

/** Measures a server for the window, in simulated time. @param delayAt the delay of an answer, by the time of its request */
async function measure(delayAt: (sentAtMs: number) => number) {
  let sent = 0
  try {
    const { latencyMs } = await simulateOpenLoop(mock, atMs => {
      if (atMs >= WARMUP_MS && atMs < WARMUP_MS + WINDOW_MS) sent++
      return delayAt(atMs)
    })
    return { sent, latencyMs }
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

expectPoints([
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
])
