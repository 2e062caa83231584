import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import { until } from '../../test/faults/fault.ts'
import { ANSWER_LIMIT_MS } from './ask.ts'
import { expectedHello } from './expected.ts'
import { LoadWindow } from './load-window.ts'
import { startOpenLoop } from './open-loop.ts'
import type { Latency } from './protocol.ts'
import { constant, INTERVAL_MS, orderTo, REQUESTS, simulateOpenLoop } from './simulated-load.fixture.ts'

const fast = { ...constant, ratePerSecond: 200 } as const

/** Runs an open loop in simulated time, with a window of 75 requests. */
async function simulate(...args: Parameters<typeof simulateOpenLoop>) {
  const { latencyMs, latenessMs, ...counts } = await simulateOpenLoop(...args)
  const rounded = ({ p50, p90, p99, max }: Latency) => [p50, p90, p99, max].map(ms => Math.round(ms))
  return { ...counts, latencyMs: rounded(latencyMs), latenessMs: rounded(latenessMs) }
}

describe('an open loop', () => {
  test('finds a known delay', async t => {
    const { latencyMs, latenessMs, inWindow, errors } = await simulate(t.mock, () => 20)
    assert.deepEqual([inWindow.good, errors], [REQUESTS, 0])
    assert.deepEqual(latencyMs, [20, 20, 20, 20])
    assert.deepEqual(latenessMs, [0, 0, 0, 0])
  })

  test('finds a known stall in every request that was due while it lasted', async t => {
    // Of 75 requests 20 are due in a stall of 400 ms and wait 400, 380, 360, … ms; a closed loop would see one that waits
    // on each connection. Of 75 latencies the histogram's p90 is the eighth longest, and its p99 the second longest.
    const endsAtMs = 1200
    const isStalled = (atMs: number) => atMs >= endsAtMs - 400 && atMs < endsAtMs
    const { latencyMs } = await simulate(t.mock, atMs => 5 + (isStalled(atMs) ? endsAtMs - atMs : 0))
    assert.deepEqual(latencyMs, [5, 405 - 7 * INTERVAL_MS, 405 - INTERVAL_MS, 405])
  })

  test('counts the time in which it hung itself, and tells it', async t => {
    const { latencyMs, latenessMs, inWindow } = await simulate(
      t.mock,
      () => 5,
      async ({ hang, pass }) => {
        await pass(610)
        await hang(400)
        await pass(490)
      },
    )
    assert.equal(inWindow.good, REQUESTS)
    // The first request that came late was due 10 ms after the beginning of the hang.
    const longest = 390
    assert.deepEqual(latenessMs, [0, longest - 7 * INTERVAL_MS, longest - INTERVAL_MS, longest])
    assert.deepEqual(
      latencyMs,
      latenessMs.map(ms => ms + 5),
    )
  })

  test('gives up a request that has waited for a connection for longer than an answer may take', async t => {
    // The 50 connections are busy after a second, and the server hangs for 11 s more. Those due in the next second give up.
    const stallMs = ANSWER_LIMIT_MS + 2000
    const { inWindow, errors } = await simulate(
      t.mock,
      atMs => Math.max(5, stallMs - atMs),
      ({ pass }) => pass(stallMs + 1000),
    )
    assert.equal(errors, 50)
    assert.ok(inWindow.good > 500, `${inWindow.good} good answers`)
  })

  test('tells what went wrong', async t => {
    const kinds = ['good', 'wrong', 'error', 'destroyed'] as const
    const REQUESTS_OF_A_KIND = 20
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    let requests = 0
    const server = createServer(async (_request, response) => {
      // The others wait until the generator stops.
      if (requests === kinds.length * REQUESTS_OF_A_KIND) await isOver
      const kind = kinds[requests++ % kinds.length] as (typeof kinds)[number]
      if (kind === 'destroyed') response.destroy()
      else response.writeHead(kind === 'error' ? 500 : 200).end(kind === 'wrong' ? 'wrong' : expectedHello())
    })
    const url = await listen(server, '127.0.0.1', 0)
    t.after(() => server.close())
    const window = new LoadWindow()
    window.open()
    const { stop } = startOpenLoop(orderTo(url, fast), { ...fast, arrivals: 'poisson' }, window)
    const told = () => [window.responses, window.wrongBodies, window.errors]
    await until(() => told().reduce((sum, count) => sum + count) >= kinds.length * REQUESTS_OF_A_KIND)
    assert.deepEqual(told(), [REQUESTS_OF_A_KIND, REQUESTS_OF_A_KIND, 2 * REQUESTS_OF_A_KIND])
    end()
    await stop()
  })
})
