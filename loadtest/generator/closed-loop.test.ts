import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import { startClosedLoop } from './closed-loop.ts'
import { expectedCpu } from './expected.ts'
import { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'

test('a closed loop tells right bodies, wrong bodies and errors apart', async t => {
  const asked = { right: 0, wrong: 0, error: 0, broken: 0 }
  const kinds = Object.keys(asked) as (keyof typeof asked)[]
  let requests = 0
  const server = createServer((request, response) => {
    const kind = kinds[requests++ % kinds.length] as keyof typeof asked
    asked[kind]++
    answerAs(kind, seedOf(request), response)
    if (requests === 400) server.emit('enough')
  })
  const window = await loadUntilEnough(t, server)
  // A request that is under way when the load stops has been sent, but is not recorded.
  const near = (recorded: number, sent: number) => recorded <= sent && recorded >= sent - 5 * 4
  assert.ok(near(window.responses, asked.right), `${window.responses} of ${asked.right} right`)
  assert.ok(near(window.wrongBodies, asked.wrong), `${window.wrongBodies} of ${asked.wrong} wrong`)
  const failed = asked.error + asked.broken
  assert.ok(near(window.errors, failed), `${window.errors} of ${failed} errors`)
  assert.ok(window.latencies.summary().p50 > 0, 'latencies are recorded')
})

test('a closed loop asks on all its connections at once, for one seed after the other', async t => {
  const server = createServer()
  const seeds = new Map<Socket, number>()
  const { promise: all, resolve, reject } = Promise.withResolvers<void>()
  server.on('request', request => {
    seeds.set(request.socket, seedOf(request))
    request.socket.once('close', () => reject(new Error(`only ${seeds.size} connections asked`)))
    if (seeds.size === 5) resolve()
  })
  const url = await serve(t, server)
  const stop = startClosedLoop({ ...orderTo(url), firstSeed: 100 }, new LoadWindow())
  t.after(stop)
  await all
  assert.deepEqual([...seeds.values()].sort(), [100, 101, 102, 103, 104])
})

test('a closed loop tells the first byte of an answer from its last', async t => {
  const server = createServer((request, response) => {
    response.flushHeaders()
    setTimeout(() => response.end(expectedCpu(13, seedOf(request))), BODY_DELAY_MS)
    if (seedOf(request) === 50) server.emit('enough')
  })
  const window = await loadUntilEnough(t, server)
  const [first, last] = [window.firstBytes.summary(), window.latencies.summary()]
  assert.ok(first.p50 > 0 && first.p50 < last.p50 - BODY_DELAY_MS / 2, `${first.p50} and ${last.p50} ms`)
})

const BODY_DELAY_MS = 40

async function serve(t: TestContext, server: Server): Promise<string> {
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return listen(server, '127.0.0.1', 0)
}

/** Runs a closed loop against a server until the server says `enough`, and returns the window. */
async function loadUntilEnough(t: TestContext, server: Server): Promise<LoadWindow> {
  const url = await serve(t, server)
  const window = new LoadWindow()
  window.open()
  const enough = once(server, 'enough')
  const stop = startClosedLoop(orderTo(url), window)
  await enough
  await stop()
  return window
}

const orderTo = (url: string): LoadOrder => ({
  url,
  scenario: 'cpu',
  load: { kind: 'closed' },
  firstSeed: 1,
  connections: 5,
  warmupMs: 0,
  durationMs: 0,
  usageUrls: { app: '' },
})

const seedOf = ({ url }: IncomingMessage) =>
  Number(new URL(url as string, 'http://a').searchParams.get('seed'))

function answerAs(kind: string, seed: number, response: ServerResponse): void {
  if (kind === 'broken') response.destroy()
  else if (kind === 'error') response.writeHead(500).end(expectedCpu(13, seed))
  else response.end(expectedCpu(13, kind === 'right' ? seed : seed + 1))
}
