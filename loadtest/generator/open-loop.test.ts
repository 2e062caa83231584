import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { listen } from '../../lib/listen.ts'
import { expectedHello } from './expected.ts'
import { HdrLatencies } from './latencies.ts'
import { LoadWindow } from './load-window.ts'
import { measure } from './measure.ts'
import { startOpenLoop } from './open-loop.ts'
import type { Load, LoadOrder } from './protocol.ts'
import type { Stalling } from './stalling-server.fixture.ts'

const RATE = 200
const WINDOW_MS = 1500
const constant = { kind: 'open', ratePerSecond: RATE, arrivals: 'constant', seed: 1 } as const

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

describe('an open loop', () => {
  test('finds a known delay', async t => {
    const url = await startStalling(t, { delayMs: 20, stallsAt: -1, stallMs: 0 })
    const { latencyMs, responses, errors, durationMs } = await measure(orderTo(url), () => {})
    assert.equal(errors, 0)
    assert.ok(latencyMs.p50 > 19.5 && latencyMs.p50 < 40, `p50 is ${latencyMs.p50} ms`)
    const expected = (RATE * durationMs) / 1000
    // On a busy machine an answer may arrive in a later window than the one its request was due in.
    const heldUp = (RATE * (latencyMs.max - 20)) / 1000
    assert.ok(Math.abs(responses - expected) <= 5 + heldUp, `${responses} responses of ${expected}`)
  })

  test('finds a known stall in every request that was due while it lasted', async t => {
    // At 200 a second, of 300 requests in the window 80 are due in a stall of 400 ms and wait 400, 395, 390, … ms; a
    // closed loop would see one that waits on each connection.
    const url = await startStalling(t, { delayMs: 5, stallsAt: 100, stallMs: 400 })
    const { latencyMs } = await measure(orderTo(url), () => {})
    assert.ok(latencyMs.max >= 400 && latencyMs.max < 700, `max is ${latencyMs.max} ms`)
    assert.ok(latencyMs.p50 < 40, `p50 is ${latencyMs.p50} ms`)
    // The ninetieth of a hundred is the 30th longest of 300: 400 - 30 * 5 ms and the delay. A busy machine adds to it.
    assert.ok(latencyMs.p90 > 235 && latencyMs.p90 < 400, `p90 is ${latencyMs.p90} ms`)
    assert.ok(latencyMs.p99 > 375, `p99 is ${latencyMs.p99} ms`)
  })

  test('counts the wait for a connection too', async t => {
    const url = await startStalling(t, { delayMs: 20, stallsAt: -1, stallMs: 0 })
    // One connection answers at most 50 a second of the 200: the queue grows by 0.75 s a second.
    const { latencyMs } = await measure({ ...orderTo(url), connections: 1 }, () => {})
    assert.ok(latencyMs.max > 1000, `max is ${latencyMs.max} ms`)
  })

  test('tells what went wrong, and how late it was itself', async t => {
    let requests = 0
    const server = createServer((_request, response) => {
      const kind = requests++ % 4
      if (kind === 3) response.destroy()
      else response.writeHead(kind === 2 ? 500 : 200).end(kind === 1 ? 'wrong' : expectedHello())
      if (requests === 80) server.emit('enough')
    })
    const url = await listen(server, '127.0.0.1', 0)
    t.after(() => server.close())
    const window = new LoadWindow(() => new HdrLatencies())
    window.open()
    const enough = once(server, 'enough')
    const { stop, lateness } = startOpenLoop(orderTo(url), { ...constant, arrivals: 'poisson' }, window)
    await enough
    await stop()
    assert.ok(Math.abs(window.responses - 20) <= 2, `${window.responses} good`)
    assert.ok(Math.abs(window.wrongBodies - 20) <= 2, `${window.wrongBodies} wrong`)
    assert.ok(Math.abs(window.errors - 40) <= 4, `${window.errors} errors`)
    const { p50, max } = lateness.summary()
    assert.ok(p50 > 0 && p50 < 5 && max < 500, `late by ${p50}, at most ${max} ms`)
  })
})
