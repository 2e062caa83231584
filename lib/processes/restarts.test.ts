import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_RESTARTS, Restarts } from './restarts.ts'

const deaths = (restarts: Restarts, timesMs: readonly number[]) =>
  timesMs.map(atMs => restarts.afterDeath(atMs))

describe('a process that dies', () => {
  test('is started again after a pause that doubles, five times in a minute', () => {
    const found = deaths(new Restarts(), [0, 1000, 2000, 3000, 4000, 5000])
    assert.deepEqual(
      found.map(restart => restart?.pauseMs),
      [100, 200, 400, 800, 1600, undefined],
    )
    assert.deepEqual(found[MAX_RESTARTS - 1]?.number, MAX_RESTARTS)
  })

  test('is started again for ever when it dies rarely', () => {
    const rarely = Array.from({ length: 100 }, (_, index) => index * 12_001)
    assert.ok(deaths(new Restarts(), rarely).every(restart => restart !== undefined))
  })

  test('is given up when it dies often, even after a long life', () => {
    const restarts = new Restarts()
    deaths(restarts, [0, 70_000])
    const often = deaths(restarts, [100_000, 101_000, 102_000, 103_000, 104_000])
    assert.deepEqual(
      often.map(restart => restart?.number),
      [2, 3, 4, 5, undefined],
    )
  })
})
