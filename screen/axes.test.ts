import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelFigure, niceMax, splitFigures } from './page/scale.ts'

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
