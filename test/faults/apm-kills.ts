import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startSpanReceiver } from '../otlp-receiver.ts'
import { countDropped, countWaiting, ROUTE, start, startApp } from './apm-stack.ts'
import { type Fault, PAUSE_MS, startRequests, until } from './fault.ts'

/** More kills than the stack would follow by restarts, so the fault starts apm-agent itself. */
const KILLS = 12
const MOST_WAITING = 10_000

/** Kills of apm-agent while spans wait for a collector. */
export const apmKills: readonly Fault[] = [
  {
    name: 'apm-agent killed twelve times under load, on the way to a collector',
    seconds: 24,
    quickSeconds: 12,
    async run(directory, seconds) {
      const receiver = await startSpanReceiver()
      const apmSocket = join(directory, 'agent.sock')
      const startAgent = () => start('apm-agent', { apmSocket, collectorUrl: receiver.url })
      let agent = await startAgent()
      // The records of the longest restart fit into this memory, so nothing is dropped.
      const app = await startApp(directory, { apmSocket, apmMemoryMib: 64 })
      const requests = startRequests(app.addresses.http + ROUTE, 8, PAUSE_MS)
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
      const { failed, good } = await requests.stop()
      await until(async () => (await countDropped(app.addresses.admin)) === 0)
      await until(async () => (await countWaiting(agent)) === 0)
      const { spans } = await app.stop()
      await agent.stop()
      receiver.close()
      const { spans: distinct, serverSpans, repeated } = receiver.counts
      const says = `${good} requests, none failed; of ${spans?.emitted} spans ${distinct} came to the collector, ${serverSpans} of them SERVER spans; ${repeated} came twice`
      assert.equal(failed, 0, 'requests failed')
      assert.deepEqual([spans?.dropped, distinct, serverSpans], [0, spans?.emitted, good], says)
      return says
    },
  },
]
