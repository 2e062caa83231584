import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
import { expectedHello } from './expected.ts'
import { measure } from './measure.ts'
import { orderTo } from './simulated-load.fixture.ts'

const usage = {
  atMs: 0,
  mainThread: { cpuMicros: 0, activeMs: 0, idleMs: 1, wakeups: null, allocatedBytes: null },
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

/** Lets whatever is due run. */
async function turns(): Promise<void> {
  for (let turns = 0; turns < 100; turns++) await turn()
}
