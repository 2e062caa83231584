import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
import { expectedHello } from './expected.ts'
import { measure } from './measure.ts'
import { orderTo } from './simulated-load.fixture.ts'

const usage = {
  atMs: 0,
  mainThread: { cpuMicros: 0, activeMs: 0, idleMs: 1, wakeups: null, allocatedBytes: null, collections: 0 },
  tasks: null,
  total: { cpuMicros: 0, residentBytes: 1 },
}

test('the readings of the load test end before the window opens, and begin again after it has closed', async t => {
  const events: string[] = []
  const server = createServer((request, response) => {
    if (request.url !== '/usage') return response.end(expectedHello())
    events.push('usage')
    return response.end(JSON.stringify(usage))
  })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  await measure({ ...orderTo(url), warmupMs: 1, durationMs: 1 }, async event => {
    events.push(event)
    await turns()
    events.push(`read, ${event}`)
  })
  assert.deepEqual(events, [
    'opening',
    'read, opening',
    'usage',
    'opened',
    'read, opened',
    'usage',
    'closed',
    'read, closed',
  ])
})

test('idle connections send one request each, stay open until the window has closed, and then end', async t => {
  const { connections, order } = await startApp(t)
  const idle = () => connections.slice(0, IDLE).map(({ socket, asked }) => [socket.readyState, asked])
  const seen: unknown[] = []
  await measure(order, async event => {
    await turns()
    seen.push([event, idle()])
  })
  const all = Array.from({ length: IDLE }, () => ['open', 1])
  assert.deepEqual(seen, [
    ['opening', all],
    ['opened', all],
    ['closed', all],
  ])
  assert.ok(connections.length > IDLE, 'the load has connections of its own')
  for (const { socket } of connections.slice(0, IDLE)) while (!socket.closed) await turn()
})

test('a sample fails when the app closes an idle connection in its window', async t => {
  const { connections, order } = await startApp(t)
  const measured = measure(order, async event => {
    if (event === 'opened') connections[1]?.socket.resetAndDestroy()
    await turns()
  })
  await assert.rejects(measured, { message: `the app closed 1 of ${IDLE} idle connections` })
  for (const { socket } of connections) while (!socket.closed) await turn()
})

const IDLE = 3

/** Lets whatever is due run. */
async function turns(): Promise<void> {
  for (let turns = 0; turns < 100; turns++) await turn()
}

/** An app that tells its connections in the order in which they were opened, and how many requests came over each. */
async function startApp(t: TestContext) {
  const connections: { readonly socket: Socket; asked: number }[] = []
  const server = createServer(({ url, socket }, response) => {
    const connection = connections.find(each => each.socket === socket)
    if (connection && url !== '/usage') connection.asked++
    response.end(url === '/usage' ? JSON.stringify(usage) : expectedHello())
  })
  server.on('connection', socket => connections.push({ socket, asked: 0 }))
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  return { connections, order: { ...orderTo(url), idleConnections: IDLE, warmupMs: 1, durationMs: 1 } }
}
