import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Latencies } from './latencies.ts'
import { LoadWindow } from './load-window.ts'

/** The percentiles are exact to four digits. */
const rounded = (latencies: Latencies) =>
  Object.fromEntries(
    Object.entries(latencies.summary()).map(([name, value]) => [name, Number(value.toPrecision(4))]),
  )

describe('the measured window', () => {
  test('counts what is good while it is open, and what is not until it closes', t => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const window = new LoadWindow()
    const record = () => {
      for (const outcome of ['good', 'error', 'wrong body'] as const)
        window.record(outcome, nowMs - 2, nowMs - 1)
    }
    record()
    window.open()
    nowMs += 2
    record()
    nowMs += 1
    window.close()
    nowMs += 2
    record()
    assert.deepEqual([window.responses, window.errors, window.wrongBodies], [1, 2, 2])
    assert.deepEqual(rounded(window.latencies), { p50: 2, p90: 2, p99: 2, max: 2 })
  })

  test('has percentiles, nearest rank, of the good answers', t => {
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const window = new LoadWindow()
    window.open()
    for (nowMs = 200; nowMs >= 1; nowMs--) window.record('good', 0, nowMs / 2)
    window.record('error', 0, 0)
    assert.deepEqual(rounded(window.latencies), { p50: 100, p90: 180, p99: 198, max: 200 })
    assert.deepEqual(rounded(window.firstBytes), { p50: 50, p90: 90, p99: 99, max: 100 })
  })

  test('has no percentiles without a good answer', () => {
    const { NaN: none } = Number
    assert.deepEqual(new LoadWindow().latencies.summary(), { p50: none, p90: none, p99: none, max: none })
  })
})
