import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { textFrame } from '../../apm-agent/frames.ts'
import { RECORD_BYTES } from '../../apm-agent/protocol.ts'
import { memberOf } from '../stack-parts.ts'
import { apmKills } from './apm-kills.ts'
import {
  agentOf,
  droppedSpans,
  MEMORY_MIB,
  ROUTE,
  receivedSpans,
  routeOf,
  start,
  startApp,
  startTracedStack,
} from './apm-stack.ts'
import { type Fault, residentMiB, startRequests, until } from './fault.ts'

/** The most records that can wait for an acknowledgement. The app drops the others. */
const RECORDS_IN_MEMORY = (MEMORY_MIB * 2 ** 20) / RECORD_BYTES
/** A heap under load grows by less than this, without the records. */
const HEAP_MARGIN_MIB = 96

/** Faults of apm-agent and of the connection to it, on real processes under load. */
export const apmFaults: readonly Fault[] = [
  ...apmKills,
  {
    name: 'apm-agent killed under load',
    seconds: 5,
    async run(directory, seconds) {
      const stack = await startTracedStack(directory)
      const requests = startRequests(routeOf(stack))
      await until(() => requests.answers() > 100)
      const agent = memberOf(stack, 'apm-agent')
      const before = agent.pid
      agent.signal('SIGKILL')
      await until(() => agent.pid !== before)
      // The new process counts from zero. The app sends it all records that were not acknowledged.
      await until(async () => (await receivedSpans(agentOf(stack))) > 0)
      await delay(seconds * 1000)
      const { failed, good } = await requests.stop()
      const { spans } = await stack.stop()
      assert.equal(failed, 0, 'requests failed')
      assert.ok((spans?.delivered ?? 0) > 0, 'reporting did not resume')
      assert.equal(spans?.dropped, 0, 'what was not acked was to be sent again')
      return `${good} requests, none failed; the new one received ${spans?.delivered} spans`
    },
  },
  {
    name: 'apm-agent stalled until the memory bound is reached, then running again',
    seconds: 10,
    async run(directory, seconds) {
      const stack = await startTracedStack(directory)
      const requests = startRequests(routeOf(stack))
      await until(() => requests.answers() > 100)
      const before = await residentMiB(stack)
      const agent = memberOf(stack, 'apm-agent')
      agent.signal('SIGSTOP')
      await until(async () => (await droppedSpans(stack)) > RECORDS_IN_MEMORY)
      await delay(seconds * 1000)
      const grown = (await residentMiB(stack)) - before
      agent.signal('SIGCONT')
      const stalledAt = await receivedSpans(agentOf(stack))
      await until(async () => (await receivedSpans(agentOf(stack))) > stalledAt + 1000)
      const { failed, good } = await requests.stop()
      const { spans } = await stack.stop()
      assert.equal(failed, 0, 'requests failed')
      assert.ok(grown < MEMORY_MIB + HEAP_MARGIN_MIB, `memory grew by ${grown.toFixed(0)} MiB`)
      const { emitted = 0, delivered = 0, dropped = 0 } = spans ?? {}
      assert.ok(dropped > 0, 'the bound was not reached')
      assert.equal(emitted, delivered + dropped, 'the ledger is open')
      return `${good} requests, none failed; ${dropped} of ${emitted} spans dropped and counted, ${grown.toFixed(0)} MiB more`
    },
  },
  {
    name: 'apm-agent absent when the app starts',
    seconds: 2,
    async run(directory, seconds) {
      const apmSocket = join(directory, 'agent.sock')
      const app = await startApp(directory, { apmSocket })
      const requests = startRequests(app.addresses.http + ROUTE)
      await delay(seconds * 1000)
      const agent = await start('apm-agent', { apmSocket })
      await until(async () => (await receivedSpans(agent)) > 0)
      const { failed, good } = await requests.stop()
      const { spans: sent } = await app.stop()
      const { spans: received } = await agent.stop()
      assert.equal(failed, 0, 'requests failed')
      assert.equal(sent?.emitted, (received?.delivered ?? 0) + (sent?.dropped ?? 0), 'the ledger is open')
      return `${good} requests, none failed; ${received?.delivered} spans received once it was there`
    },
  },
  {
    name: 'garbage, a wrong version and half records flood the socket',
    seconds: 5,
    async run(directory, seconds) {
      const apmSocket = join(directory, 'agent.sock')
      const stack = await startTracedStack(directory, { apmSocket })
      const requests = startRequests(routeOf(stack))
      const flood = startFlood(apmSocket)
      await delay(seconds * 1000)
      const connections = await flood.stop()
      const { failed, good } = await requests.stop()
      const { restarts } = agentOf(stack)
      const { spans } = await stack.stop()
      assert.equal(failed, 0, 'requests failed')
      assert.equal(restarts, 0, 'apm-agent died')
      assert.deepEqual(
        [spans?.dropped, spans?.delivered],
        [0, spans?.emitted],
        'the app was not served beside it',
      )
      return `${connections} hostile connections; ${good} requests, all of their spans received`
    },
  },
]

/** Opens connections that send invalid bytes, until `stop` is called. `stop` answers the number of connections. */
function startFlood(path: string) {
  const newer = textFrame('hello', '{}')
  newer[0] = 200
  const hello = textFrame('hello', JSON.stringify({ resource: {}, timeOriginMs: 0 }))
  const half = Buffer.concat([
    hello,
    textFrame('points', JSON.stringify(['x'.repeat(1000)]), 1).subarray(0, 500),
  ])
  const attacks = [Buffer.alloc(100_000, 0xa5), newer, half, Buffer.from('GET / HTTP/1.1\r\n\r\n')]
  let connections = 0
  let stopped = false
  const flooding = (async () => {
    for (; !stopped; connections++) {
      const socket = connect(path).on('error', () => {})
      socket.resume().end(attacks[connections % attacks.length] as Buffer)
      await Promise.race([once(socket, 'close'), delay(100)])
      socket.destroy()
    }
  })()
  return {
    async stop() {
      stopped = true
      await flooding
      return connections
    },
  }
}
