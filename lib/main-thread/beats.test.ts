import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { BEAT_MS, Beats } from './beats.ts'

/** Beats whose time passes when the test says so. A beat has just been. */
function start(t: TestContext) {
  let nowMs = BEAT_MS
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pass = (ms: number) => {
    for (const end = nowMs + ms; nowMs < end; t.mock.timers.tick(1)) nowMs++
  }
  /** Lets time pass in which this thread is busy. */
  const stall = (ms: number) => {
    nowMs += ms
    t.mock.timers.tick(ms)
  }
  return { beats: new Beats(), pass, stall }
}

test('all that waits for a beat is done in one turn, each once', t => {
  const { beats, pass } = start(t)
  const done: string[] = []
  const lines = () => done.push('lines')
  beats.call(lines)
  pass(100)
  beats.call(() => done.push('records'))
  beats.call(lines)
  pass(BEAT_MS - 101)
  assert.deepEqual(done, [])
  pass(1)
  assert.deepEqual(done, ['lines', 'records'])
  pass(2 * BEAT_MS)
  assert.equal(done.length, 2)
})

test('a function of every second beat shares it with those of each beat, until it is cancelled', t => {
  const { beats, pass } = start(t)
  const at: string[] = []
  const repeat = (name: string, every: number) => {
    const run = () => {
      at.push(`${name} ${Math.round(performance.now() / BEAT_MS)}`)
      beats.call(run, every)
    }
    beats.call(run, every)
    return () => beats.cancel(run)
  }
  const [cancelPulse, cancelLines] = [repeat('pulse', 2), repeat('lines', 1)]
  pass(3 * BEAT_MS)
  assert.deepEqual(at, ['pulse 2', 'lines 2', 'lines 3', 'pulse 4', 'lines 4'])
  cancelPulse()
  cancelLines()
  pass(8 * BEAT_MS)
  assert.equal(at.length, 5)
})

test('a thread that was busy for several beats does what it has missed, with no timer of a negative time', t => {
  const { beats, pass, stall } = start(t)
  const timers = t.mock.method(globalThis, 'setTimeout')
  const done: string[] = []
  beats.call(() => done.push('lines'))
  beats.call(() => done.push('pulse'), 4)
  stall(10 * BEAT_MS)
  pass(2)
  assert.deepEqual(done, ['lines', 'pulse'])
  for (const { arguments: given } of timers.mock.calls) assert.ok(Number(given[1]) > 0)
})
