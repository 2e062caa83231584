import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { afterRunning, RunningClock, runningDelay } from './running-time.ts'

/** Blocks this thread as if the process were stopped: nothing runs, and afterwards all timers are due. */
const pause = (forMs: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)

describe('time in which a process runs', () => {
  test('continues after a pause without counting the pause', async () => {
    let isOver = false
    const over = runningDelay(400).then(() => {
      isOver = true
    })
    const byTheClock = delay(400)
    pause(500)
    await byTheClock
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(isOver, false, 'what came during the pause is read first')
    // The delay does not keep the process alive, so this timer has to.
    const alive = setInterval(() => {}, 1000)
    await over
    clearInterval(alive)
  })

  test('is not counted after it was cancelled', async () => {
    const cancel = afterRunning(20, () => assert.fail())
    await delay(10)
    cancel()
    await delay(30)
  })

  test('advances by at most a second during a longer pause', t => {
    const clock = new RunningClock()
    t.after(() => clock.close())
    const before = clock.nowMs()
    pause(1500)
    const passedMs = clock.nowMs() - before
    assert.ok(passedMs <= 1001, `${passedMs} ms`)
  })
})
