import assert from 'node:assert/strict'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, type TestContext, test } from 'node:test'
import { AgentCounts } from '../../../apm-agent/counts.ts'
import { listenOnSocket } from '../../../apm-agent/listen-on-socket.ts'
import { readPulse } from '../../../apm-agent/live/live.ts'
import type { Pulse } from '../../../apm-agent/live/pulse-protocol.ts'
import { createRecordServer } from '../../../apm-agent/record-server.ts'
import { Reporters } from '../../../apm-agent/reporters.ts'
import { describeTestApp } from '../../../test/pulses.ts'
import { temporaryDirectory } from '../../../test/temporary-directory.ts'
import { RequestMeter } from './request-meter.ts'
import { startPulse } from './send-pulses.ts'
import { ThreadPlaces } from './thread-places.ts'

/** An apm-agent that hands each pulse to the test. */
async function startAgent(t: TestContext, apmSocket: string) {
  let resolve: (pulse: Pulse) => void = () => {}
  const server = createRecordServer({
    reporters: new Reporters(),
    counts: new AgentCounts(),
    takePulse: frame => resolve(readPulse(frame)),
  })
  await listenOnSocket(server, apmSocket)
  t.after(() => server.close())
  return {
    close: () => server.close(),
    next: () =>
      new Promise<Pulse>(done => {
        resolve = done
      }),
  }
}

function start(t: TestContext) {
  const apmSocket = join(temporaryDirectory(t), 'agent.sock')
  const meter = new RequestMeter()
  const threadCpuMicros = new Map([
    [7, 70],
    [9, 90],
  ])
  const read = async () => ({ size: 2, queueLength: 3, threadCpuMicros })
  const done = { tasks: 4, waitMs: 5, runMs: 6 }
  const stop = startPulse({
    app: describeTestApp(),
    apmSocket,
    meter,
    pools: [
      { name: 'compute', read, done },
      { name: 'rendering', done },
    ],
    readCounts: () => ({ logLines: { emitted: 10, dropped: 1 }, spans: { emitted: 4 } }),
    readFaults: () => [],
  })
  // The timer of the pulse does not keep the process alive, so another one has to.
  const alive = setInterval(() => {}, 1000)
  t.after(() => {
    clearInterval(alive)
    stop()
  })
  return { apmSocket, meter }
}

describe('the pulse', () => {
  test('contains the figures of the app', async t => {
    const { apmSocket, meter } = start(t)
    const agent = await startAgent(t, apmSocket)
    for (const isGood of [true, true, false]) meter.record(isGood, performance.now() - 20)
    const pulse = await agent.next()
    assert.equal(pulse.app.name, 'compute')
    assert.deepEqual(pulse.requests, { good: 2, bad: 1 })
    assert.equal(
      pulse.latencies.reduce((total, [, count]) => total + count, 0),
      2,
    )
    assert.deepEqual(pulse.pools, [
      { name: 'compute', size: 2, queueLength: 3, tasks: 4, waitMs: 5, runMs: 6 },
    ])
    assert.deepEqual(
      pulse.threads.map(({ name }) => name),
      ['main', 'compute 1', 'compute 2'],
    )
    assert.deepEqual(pulse.emitted, { logLines: 10, spans: 4, metricPoints: 0 })
    assert.equal(pulse.droppedLines, 1)
    const next = await agent.next()
    assert.deepEqual([next.latencies, next.requests], [[], { good: 2, bad: 1 }])
    assert.ok((next.threads[0]?.cpuMicros ?? 0) > (pulse.threads[0]?.cpuMicros ?? 0))
  })

  test('continues after apm-agent has started again', async t => {
    const { apmSocket } = start(t)
    const first = await startAgent(t, apmSocket)
    await first.next()
    first.close()
    const second = await startAgent(t, apmSocket)
    await second.next()
  })
})

test('a thread keeps its place, and a replacement takes the place of the thread that died', () => {
  const places = new ThreadPlaces()
  assert.deepEqual(places.numbersOf([7, 9, 11]), [1, 2, 3])
  assert.deepEqual(places.numbersOf([9, 11]), [2, 3])
  assert.deepEqual(places.numbersOf([9, 11, 13]), [2, 3, 1])
  assert.deepEqual(places.numbersOf([13, 15, 11, 17]), [1, 2, 3, 4])
})
