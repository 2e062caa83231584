import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { mainThreadQueue, type Queue, WatchedQueue } from '../../../lib/main-thread/watched-queue.ts'
import { AdmissionControl } from './admission.ts'

const MAX_WAIT_MS = 1000
const PATIENCE_MS = 5000
/** After this time the mean is renewed. */
const LATER_MS = 1000

function start({
  workers = 1,
  oldestWaitMs = () => 0,
  overload = 'refuse',
}: Partial<Queue> & { readonly overload?: 'refuse' | 'none' } = {}) {
  const done = { runMs: 0 }
  const idle = () => new WatchedQueue(mainThreadQueue, { runMs: 0 })
  const compute = new WatchedQueue({ workers, oldestWaitMs }, done)
  const admission = new AdmissionControl(
    { maxWaitMs: MAX_WAIT_MS, requestTimeoutMs: 2 * PATIENCE_MS, overload },
    { compute, rendering: idle(), upstream: idle() },
  )
  let nowMs = 0
  return {
    enter: (...needs: ('compute' | 'rendering')[]) => admission.enter(needs, nowMs),
    /** Admits and finishes this number of requests, each with `runMs` milliseconds of work. */
    serve(requests: number, runMs: number) {
      for (let request = 0; request < requests; request++) {
        assert.equal(admission.enter(['compute'], nowMs), undefined)
        done.runMs += runMs
        admission.leave(['compute'])
      }
    },
    leave: () => admission.leave(['compute']),
    inFlight: () => compute.inFlight,
    /** Begins the next turn of the event loop, this much later. */
    async pass(durationMs: number) {
      await turn()
      nowMs += durationMs
    },
    /** Lets the same turn of the event loop go on for this time. */
    stall(durationMs: number) {
      nowMs += durationMs
    },
  }
}

function admitUntilRefused({ enter }: Pick<ReturnType<typeof start>, 'enter'>): number {
  let admitted = 0
  while (enter('compute') === undefined) admitted++
  return admitted
}

describe('admission', () => {
  test('admits every request without protection from overload, and still counts them', async () => {
    const app = start({ overload: 'none', oldestWaitMs: () => 60_000 })
    app.serve(10, 1000)
    await app.pass(LATER_MS)
    app.stall(60_000)
    for (let request = 0; request < 1000; request++) assert.equal(app.enter('compute'), undefined)
    assert.equal(app.inFlight(), 1000)
  })

  for (const [workers, runMs, expected] of [
    [1, 10, 101],
    [2, 20, 101],
    [4, 10, 401],
    // These take long, but few requests wait until they would use up their time budget.
    [1, 50, 64],
    [1, 200, 26],
  ] as const)
    test(`admits ${expected} requests of ${runMs} ms for ${workers} workers, and the next when one has left`, async () => {
      const app = start({ workers })
      app.serve(10, runMs)
      await app.pass(LATER_MS)
      assert.equal(admitUntilRefused(app), expected)
      assert.equal(app.enter('compute'), 'compute')
      app.leave()
      assert.equal(app.enter('compute'), undefined)
    })

  test('admits every request while the mean work is unknown', () => {
    const app = start()
    for (let request = 0; request < 1000; request++) assert.equal(app.enter('compute'), undefined)
  })

  test('follows changes of the mean work', async () => {
    const app = start()
    app.serve(10, 1)
    for (let window = 0; window < 10; window++) {
      await app.pass(LATER_MS)
      app.serve(10, 10)
    }
    await app.pass(LATER_MS)
    const admitted = admitUntilRefused(app)
    assert.ok(admitted === 101 || admitted === 102, String(admitted))
  })

  test('refuses while the first in line has waited too long, whatever the mean says', () => {
    let oldestWaitMs = 5001
    const app = start({ oldestWaitMs: () => oldestWaitMs })
    assert.equal(app.enter('compute'), 'compute')
    assert.equal(app.enter('rendering'), undefined, 'who does not need it is admitted')
    oldestWaitMs = 1001
    for (let request = 0; request < 64; request++) assert.equal(app.enter('compute'), undefined)
    assert.equal(app.enter('compute'), 'compute')
    oldestWaitMs = 999
    assert.equal(app.enter('compute'), undefined)
  })

  test('refuses requests late in a long turn of the event loop, and admits them in the next turn', async () => {
    const app = start()
    assert.equal(app.enter('compute'), undefined)
    app.stall(900)
    assert.equal(app.enter('compute'), undefined)
    app.stall(200)
    assert.equal(app.enter('compute'), 'event loop')
    await app.pass(0)
    assert.equal(app.enter('compute'), undefined)
  })

  test('always admits a request that needs no queue', () => {
    const app = start({ oldestWaitMs: () => 60_000 })
    app.enter('compute')
    app.stall(60_000)
    assert.equal(app.enter(), undefined)
  })
})
