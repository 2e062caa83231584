import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RECORD_BYTES } from '../../apm-agent/protocol.ts'
import { toFlags } from '../../lib/cli/command-line.ts'
import { type RunningProcess, startProcess } from '../../lib/processes/start-process.ts'
import { startSpanReceiver } from '../otlp-receiver.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import {
  countWaiting,
  PAUSE_MS,
  readCounts,
  receivedSpans,
  residentMiB,
  startLoaded,
  startRequests,
} from './loaded-stack.ts'
import { step } from './protocol.ts'

/** A route with one task and no upstream call. */
const ROUTE = '/cpu?size=1'
/** A small limit of the records that wait for apm-agent is reached soon. */
const MEMORY_MIB = 1
/** The most records that can wait for an acknowledgement. The app drops the others. */
const RECORDS_IN_MEMORY = (MEMORY_MIB * 2 ** 20) / RECORD_BYTES
/** A heap under load grows by less than this, without the records. */
const HEAP_MARGIN_MIB = 96
/** More kills than the stack would follow by restarts, so the fault starts apm-agent itself. */
const KILLS = 12
const MOST_WAITING = 10_000

const countDropped = async (admin: string | undefined) => (await readCounts(admin as string, 'spans')).dropped

/** Faults of apm-agent and of the connection to it, on real processes under load. */
export const apmFaults: readonly Fault[] = [
  {
    name: 'apm-agent absent when the app starts, then killed twelve times under load, on the way to a collector',
    seconds: 24,
    quickSeconds: 12,
    async run(directory, seconds) {
      const receiver = await startSpanReceiver()
      const apmSocket = join(directory, 'agent.sock')
      // The records of the longest restart fit into this memory, so nothing is dropped.
      const values = { adminPort: 0, ...step.composition, ...logPlaces(directory) }
      const app = await start('app', { ...values, apmSocket, apmMemoryMib: 64 })
      const requests = startRequests(app.addresses.http + ROUTE, 8, PAUSE_MS)
      const startAgent = () => start('apm-agent', { apmSocket, collectorUrl: receiver.url })
      await requests.answered(100)
      let agent = await startAgent()
      for (let kill = 0; kill < KILLS; kill++) {
        const before = receiver.counts.spans
        await delay((seconds * 1000) / KILLS)
        await until(() => receiver.counts.spans > before)
        // Spans that are not exported yet wait in apm-agent or in the app. Kills that came faster than exports would fill
        // apm-agent's memory.
        await until(async () => (await countWaiting(agent)) < MOST_WAITING)
        agent.signal('SIGKILL')
        await agent.ended
        agent = await startAgent()
      }
      const { good, failures } = await requests.stop()
      await until(async () => (await countDropped(app.addresses.admin)) === 0)
      await until(async () => (await countWaiting(agent)) === 0)
      const { spans } = await app.stop()
      await agent.stop()
      receiver.close()
      const { spans: distinct, serverSpans, repeated } = receiver.counts
      const says = `${good} requests, none failed; of ${spans?.emitted} spans ${distinct} came to the collector, ${serverSpans} of them SERVER spans; ${repeated} came twice`
      assert.deepEqual(failures, {}, 'requests failed')
      assert.deepEqual([spans?.dropped, distinct, serverSpans], [0, spans?.emitted, good], says)
      return says
    },
  },
  {
    name: 'apm-agent stalled until the memory bound is reached, then running again',
    seconds: 10,
    async run(directory, seconds) {
      const { stack, requests, member, finish } = await startLoaded(directory, {
        path: ROUTE,
        app: { apmMemoryMib: MEMORY_MIB },
      })
      await requests.answered(100)
      const before = await residentMiB(stack)
      const agent = member('apm-agent')
      agent.signal('SIGSTOP')
      await until(async () => (await countDropped(stack.address('app', 'admin'))) > RECORDS_IN_MEMORY)
      await delay(seconds * 1000)
      const grown = (await residentMiB(stack)) - before
      agent.signal('SIGCONT')
      const stalledAt = await receivedSpans(agent)
      await until(async () => (await receivedSpans(agent)) > stalledAt + 1000)
      const { spans, says } = await finish()
      assert.ok(grown < MEMORY_MIB + HEAP_MARGIN_MIB, `memory grew by ${grown.toFixed(0)} MiB`)
      assert.ok(spans.dropped > 0, 'the bound was not reached')
      return `${says}; ${grown.toFixed(0)} MiB more`
    },
  },
]

/** Starts apm-agent, or the app, as a process of its own. */
function start(name: string, values: Readonly<Record<string, unknown>>): Promise<RunningProcess> {
  const file = join(import.meta.dirname, '../..', name, 'main.ts')
  return startProcess({ name, file, flags: toFlags({ port: 0, ...values }), echo: false })
}
