import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_RESTARTS, Restarts } from './restarts.ts'

const deaths = (restarts: Restarts, timesMs: readonly number[]) =>
  timesMs.map(atMs => restarts.afterDeath(atMs))

describe('a process that dies', () => {
  test('is started again after a pause that doubles; after five restarts in a minute they are spent', () => {
    const found = deaths(new Restarts(), [0, 1000, 2000, 3000, 4000, 5000])
    assert.deepEqual(found, [
      ...[100, 200, 400, 800, 1600].map((pauseMs, index) => ({ number: index + 1, isSpent: false, pauseMs })),
      { number: MAX_RESTARTS + 1, isSpent: true, pauseMs: 5000 },
    ])
  })

  test('is started again after ever longer pauses, up to five minutes, once they are spent', () => {
    const restarts = new Restarts()
    deaths(restarts, [0, 1, 2, 3, 4])
    const pauses: number[] = []
    for (let nowMs = 5; pauses.length < 8; nowMs += pauses.at(-1) ?? 0)
      pauses.push(restarts.afterDeath(nowMs).pauseMs)
    assert.deepEqual(pauses, [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  })

  test('has all its restarts again after a life of a minute', () => {
    const restarts = new Restarts()
    deaths(restarts, [0, 1, 2, 3, 4, 5])
    assert.equal(restarts.afterDeath(5 + 5000 + 60_000).isSpent, false)
  })

  test('is started again for ever when it dies rarely', () => {
    const rarely = Array.from({ length: 100 }, (_, index) => index * 12_001)
    assert.ok(deaths(new Restarts(), rarely).every(({ isSpent }) => !isSpent))
  })

  test('has spent its restarts when it dies often, even after a long life', () => {
    const restarts = new Restarts()
    deaths(restarts, [0, 70_000])
    const often = deaths(restarts, [100_000, 101_000, 102_000, 103_000, 104_000])
    assert.deepEqual(
      often.map(({ isSpent }) => isSpent),
      [false, false, false, false, true],
    )
  })
})
