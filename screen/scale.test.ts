import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelFigure, niceMax, splitFigures, topOf } from './page/scale.ts'

const split = splitFigures(() => 15)
const chartOf = (height: number) => ({ bbox: { height } }) as never

describe('the scale of a chart', () => {
  test('ends at a round figure above all values, and has a label there', () => {
    for (let value = 0.001; value < 1e6; value *= 1.07) {
      const max = niceMax(value)
      assert.ok(max >= value * (1 - 1e-9) && max <= value * 1.51, `${value} on a scale to ${max}`)
      const splits = split(chartOf(200), 1, 0, max)
      assert.deepEqual([splits[0], splits.at(-1)], [0, max])
      assert.equal(new Set(splits.map(labelFigure)).size, splits.length)
      assert.ok(splits.length <= 4)
    }
  })

  test('has labels at its ends only where there is no room for more', () => {
    assert.deepEqual(split(chartOf(60), 1, 0, 600), [0, 600])
    assert.deepEqual(split(chartOf(80), 1, 0, 600), [0, 200, 400, 600])
  })
})

/** Two updates a second. */
const timesOf = (count: number) => Array.from({ length: count }, (_, index) => index / 2)
const times = timesOf(240)
/** Two minutes of a level, with another level for some seconds. */
const levels = (
  usual: number,
  { at, seconds, level }: { at: number; seconds: number; level: number | null },
) => times.map(time => (time >= at && time < at + seconds ? level : usual))

describe('the end of a scale', () => {
  test('contains all values of a line without spikes', () => {
    assert.equal(topOf(times, levels(100, { at: 60, seconds: 5, level: 280 })), 280)
    assert.equal(topOf([], []), 0)
  })

  test('is near the usual values beside a start, a fault or a gap of 20 seconds', () => {
    for (const level of [400, 4000, 1e6])
      for (const at of [0, 40, 90]) assert.equal(topOf(times, levels(100, { at, seconds: 20, level })), 125)
    for (const level of [null, 0])
      assert.equal(topOf(times, levels(100, { at: 40, seconds: 75, level })), 100)
  })

  test('follows a level that lasts, before it is usual in the whole range', () => {
    const rise = { at: 110, seconds: 10, level: 1000 }
    assert.equal(topOf(times, levels(100, rise)), 1000)
    assert.equal(topOf(times, levels(100, { ...rise, at: 117 })), 125)
  })

  test('is that of the line with the largest usual values', () => {
    const slow = levels(400, { at: 30, seconds: 10, level: 9000 })
    assert.equal(topOf(times, levels(100, { at: 30, seconds: 10, level: 700 }), slow), 500)
  })

  test('contains short work of a line that is zero otherwise', () => {
    assert.equal(topOf(times, levels(0, { at: 30, seconds: 5, level: 50 })), 50)
  })
})
