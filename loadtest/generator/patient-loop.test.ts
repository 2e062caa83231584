import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { findFreePort, listen } from '../../lib/http/listen.ts'
import { pauseMs, startPatientLoop } from './closed-loop.ts'
import { expectedCpu } from './expected.ts'
import { LoadWindow } from './load-window.ts'

const CLIENTS = 5
const FULL = 100

describe('clients that pause after errors', () => {
  test('pause longer after each error, as long as the server asks for, and a second and a half at most', () => {
    const all = [1, 2, 3, 4, 5, 6, 1000]
    assert.deepEqual(
      all.map(failures => pauseMs(failures, 0, 0)),
      [50, 100, 200, 400, 800, 1000, 1000],
    )
    assert.deepEqual([pauseMs(1, 1000, 0), pauseMs(1, 60_000, 0), pauseMs(1000, 0, 1)], [1000, 1000, 1500])
  })

  test('send one request for each pause until an app listens and refuses none, and then all load again', async t => {
    const port = await findFreePort()
    const app = createApp(3 * CLIENTS)
    const { window, pauses, stop } = load(t, `http://127.0.0.1:${port}`, async () => {
      if (pauses.length === 2 * CLIENTS) await serve(t, app.listener, port)
    })
    await app.full
    await stop()
    assert.ok(pauses.length >= 5 * CLIENTS && window.errors === pauses.length)
    assert.ok(pauses.some(ms => ms < 100) && pauses.some(ms => ms >= 1000 && ms <= 1500))
    assert.equal(window.wrongBodies, 0)
    assert.ok(window.responses >= FULL, `${window.responses} good answers`)
  })
})

/** An app that refuses its first requests. `full` resolves once it has given {@link FULL} good answers. */
function createApp(refusals: number) {
  const { promise: full, resolve } = Promise.withResolvers<void>()
  let requests = 0
  const listener: RequestListener = ({ url }, response) => {
    requests++
    const seed = Number(new URL(url as string, 'http://app').searchParams.get('seed'))
    if (requests <= refusals) response.writeHead(503, { 'retry-after': '1' }).end()
    else response.end(expectedCpu(13, seed))
    if (requests === refusals + FULL) resolve()
  }
  return { listener, full }
}

async function serve(t: TestContext, listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return listen(server, '127.0.0.1', port)
}

/** Starts a load whose pauses are written down. @param duringPause is done instead of waiting */
function load(t: TestContext, url: string, duringPause: () => Promise<void> = async () => {}) {
  const window = new LoadWindow()
  window.open()
  const pauses: number[] = []
  const order = { url, scenario: 'cpu', connections: CLIENTS, firstSeed: 1 } as const
  const stop = startPatientLoop(order, window, async ms => {
    pauses.push(ms)
    await duringPause()
  })
  t.after(stop)
  return { window, pauses, stop }
}
