import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { listen } from '../../lib/listen.ts'
import { expectedHello } from './expected.ts'
import { HdrLatencies } from './latencies.ts'
import { LoadWindow } from './load-window.ts'
import { measure } from './measure.ts'
import { startOpenLoop } from './open-loop.ts'
import type { Load, LoadOrder } from './protocol.ts'
import type { Stalling } from './stalling-server.fixture.ts'

/** Low, so that a busy machine has time for it. */
const RATE = 50
const INTERVAL_MS = 1000 / RATE
const WINDOW_MS = 1500
const constant = { kind: 'open', ratePerSecond: RATE, arrivals: 'constant', seed: 1 } as const
const fast = { ...constant, ratePerSecond: 200 } as const
/** A request meets the lateness of the machine several times: at two timers, in two threads, and in the queue. */
const TIMES_LATENESS = 3

const orderTo = (url: string, load: Load = constant): LoadOrder => ({
  url,
  scenario: 'hello',
  load,
  firstSeed: 1,
  connections: 50,
  warmupMs: 200,
  durationMs: WINDOW_MS,
  usageUrls: { app: `${url}/usage` },
})

async function startStalling(t: TestContext, workerData: Stalling): Promise<string> {
  const worker = new Worker(join(import.meta.dirname, 'stalling-server.fixture.ts'), { workerData })
  t.after(() => worker.terminate())
  const [url] = await once(worker, 'message')
  return url
}

/**
 * Measures how late the machine is by itself, as busy as it is: asks a second server, which answers at once, at the same
 * rate until it is stopped. Latencies of the test may be higher than they should be by a few times that.
 */
async function watchLateness(t: TestContext) {
  const url = await startStalling(t, { delayMs: 0, stallsAt: -1, stallMs: 0 })
  const late: Promise<number>[] = []
  const stopped = new AbortController()
  t.after(() => stopped.abort())
  const asking = (async () => {
    for (let dueAtMs = performance.now(); !stopped.signal.aborted; dueAtMs += INTERVAL_MS) {
      await delay(Math.max(0, dueAtMs - performance.now()))
      late.push(timeAnswer(url).then(answeredAtMs => answeredAtMs - dueAtMs))
    }
  })()
  return async () => {
    stopped.abort()
    await asking
    const sorted = (await Promise.all(late)).toSorted((a, b) => a - b)
    return { p90Ms: sorted[Math.floor(0.9 * sorted.length)] as number, maxMs: sorted.at(-1) as number }
  }
}

async function timeAnswer(url: string): Promise<number> {
  await (await fetch(url)).arrayBuffer()
  return performance.now()
}

describe('an open loop', () => {
  test('finds a known delay', async t => {
    const url = await startStalling(t, { delayMs: 20, stallsAt: -1, stallMs: 0 })
    const stopWatching = await watchLateness(t)
    const { latencyMs, responses, errors, durationMs } = await measure(orderTo(url), () => {})
    const { p90Ms } = await stopWatching()
    assert.equal(errors, 0)
    const most = 40 + TIMES_LATENESS * p90Ms
    assert.ok(latencyMs.p50 > 19.5 && latencyMs.p50 < most, `p50 is ${latencyMs.p50} of ${most} ms`)
    const expected = (RATE * durationMs) / 1000
    // On a busy machine an answer may arrive in a later window than the one its request was due in.
    const heldUp = (RATE * (latencyMs.max - 20)) / 1000
    assert.ok(Math.abs(responses - expected) <= 2 + heldUp, `${responses} responses of ${expected}`)
  })

  test('finds a known stall in every request that was due while it lasted', async t => {
    // At 50 a second, of 75 requests in the window 20 are due in a stall of 400 ms and wait 400, 380, 360, … ms; a closed
    // loop would see one that waits on each connection.
    const url = await startStalling(t, { delayMs: 5, stallsAt: 40, stallMs: 400 })
    const stopWatching = await watchLateness(t)
    const { latencyMs, durationMs } = await measure(orderTo(url), () => {})
    const { p90Ms, maxMs } = await stopWatching()
    const most = (expectedMs: number) => expectedMs + TIMES_LATENESS * maxMs
    assert.ok(latencyMs.max >= 400 && latencyMs.max < most(700), `max is ${latencyMs.max} of ${most(700)} ms`)
    const mostOfHalf = 40 + TIMES_LATENESS * p90Ms
    assert.ok(latencyMs.p50 < mostOfHalf, `p50 is ${latencyMs.p50} of ${mostOfHalf} ms`)
    // The ninetieth of a hundred is the eighth longest of 75: 400 - 7 * 20 ms and the delay. A busy machine adds to it, and
    // closes the window late, which then holds more requests.
    const requests = (RATE * durationMs) / 1000
    const longestAt = (share: number) => 400 - INTERVAL_MS * Math.ceil(share * requests)
    assert.ok(latencyMs.p90 > longestAt(0.1) && latencyMs.p90 < most(400), `p90 is ${latencyMs.p90} ms`)
    assert.ok(latencyMs.p99 > longestAt(0.01), `p99 is ${latencyMs.p99} ms`)
  })

  test('counts the wait for a connection too', async t => {
    const url = await startStalling(t, { delayMs: 20, stallsAt: -1, stallMs: 0 })
    // One connection answers at most 50 a second of the 200: the queue grows by 0.75 s a second.
    const { latencyMs } = await measure({ ...orderTo(url, fast), connections: 1 }, () => {})
    assert.ok(latencyMs.max > 1000, `max is ${latencyMs.max} ms`)
  })

  test('tells what went wrong, and how late it was itself', async t => {
    const kinds = ['good', 'wrong', 'error', 'destroyed'] as const
    const answered = { good: 0, wrong: 0, error: 0, destroyed: 0 }
    let requests = 0
    const server = createServer((_request, response) => {
      const kind = kinds[requests++ % kinds.length] as (typeof kinds)[number]
      answered[kind]++
      if (kind === 'destroyed') response.destroy()
      else response.writeHead(kind === 'error' ? 500 : 200).end(kind === 'wrong' ? 'wrong' : expectedHello())
      if (requests === 80) server.emit('enough')
    })
    const url = await listen(server, '127.0.0.1', 0)
    t.after(() => server.close())
    const window = new LoadWindow(() => new HdrLatencies())
    window.open()
    const enough = once(server, 'enough')
    const stopWatching = await watchLateness(t)
    const { stop, lateness } = startOpenLoop(orderTo(url, fast), { ...fast, arrivals: 'poisson' }, window)
    await enough
    await stop()
    const { p90Ms, maxMs } = await stopWatching()
    const errors = answered.error + answered.destroyed
    assert.ok(requests >= 80, `${requests} requests`)
    assert.ok(Math.abs(window.responses - answered.good) <= 2, `${window.responses} of ${answered.good} good`)
    assert.ok(
      Math.abs(window.wrongBodies - answered.wrong) <= 2,
      `${window.wrongBodies} of ${answered.wrong} wrong`,
    )
    assert.ok(Math.abs(window.errors - errors) <= 4, `${window.errors} of ${errors} errors`)
    const { p50, max } = lateness.summary()
    const [mostOfHalf, most] = [5 + TIMES_LATENESS * p90Ms, 500 + TIMES_LATENESS * maxMs]
    assert.ok(p50 > 0 && p50 < mostOfHalf && max < most, `late by ${p50}, at most ${max} ms`)
  })
})
