import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { failuresOf, Load } from './load.ts'

const get = { method: 'GET', path: '/', headers: {}, body: undefined, weight: 1 }
function start(origin: string, settings: { connections: number; ratePerSecond: number }): Load {
  const load = new Load({ origin, isHttp2: false }, [get], settings)
  load.resume()
  return load
}

/** A server that keeps its first answer back until `release`, and resolves `answered` after so many answers. */
async function startHolding(t: TestContext, enough: number) {
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    if (requests === 1) hold(response)
    else response.end('body', () => requests > enough && answer())
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, answered }
}

const HELD_MS = 200

test('an open loop counts the wait of requests behind a slow answer', async t => {
  const { url, held, answered } = await startHolding(t, 20)
  const load = start(url, { connections: 1, ratePerSecond: 1000 })
  const first = await held
  await delay(HELD_MS)
  first.end('body')
  await answered
  const { latencies, failures, bodies } = load.figures()
  await load.stop()
  // Half of the first twenty were due within 40 ms, and were sent after 200 ms.
  const { p50 } = latencies.summary()
  assert.ok(p50 >= HELD_MS / 2, String(p50))
  assert.equal(failures.size, 0)
  assert.equal(bodies.size, 1)
})

test('a server that is not there is an error, and the load can be stopped', async () => {
  const load = start('http://127.0.0.1:1', { connections: 2, ratePerSecond: 1000 })
  while (failuresOf(load.figures()) < 2) await delay(1)
  await load.stop()
  assert.equal(load.figures().responses, 0)
  assert.deepEqual([...load.figures().failures.keys()], ['ECONNREFUSED'])
})

test('a load that is stopped before a request is due does not send it', async t => {
  const { url, held } = await startHolding(t, 0)
  const load = start(url, { connections: 1, ratePerSecond: 0.001 })
  const stopped = load.stop().then(() => 'stopped')
  assert.equal(await Promise.race([stopped, held.then(() => 'sent')]), 'stopped')
})
