import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stackLabels } from './page/live/stack-labels.ts'

const WIDTH = 90
const at = (...positions: number[]) => positions.map(x => ({ x, width: WIDTH }))

describe('the labels of marks', () => {
  test('stand in one row where there is room, each at its mark', () => {
    assert.deepEqual(stackLabels(at(0, 120, 240), 400, 3), [
      { left: 0, row: 0 },
      { left: 120, row: 0 },
      { left: 240, row: 0 },
    ])
  })

  test('move to a row of their own instead of vanishing, and stay inside', () => {
    assert.deepEqual(stackLabels(at(280, 290, 295), 300, 3), [
      { left: 210, row: 2 },
      { left: 210, row: 1 },
      { left: 210, row: 0 },
    ])
  })

  test('never overlap, whatever the marks and the width are', () => {
    for (const right of [250, 600, 1100])
      for (let seed = 1; seed < 60; seed++) {
        const positions = Array.from({ length: 12 }, (_, index) => (index * seed * 37) % right).sort(
          (one, other) => one - other,
        )
        const places = stackLabels(at(...positions), right, 4)
        assert.equal(places.at(-1)?.row, 0)
        for (const [index, { left, row }] of places.entries()) {
          assert.ok(left >= 0 && left + WIDTH <= right)
          const others = places.slice(index + 1).filter(other => row !== undefined && other.row === row)
          assert.ok(others.every(other => other.left >= left + WIDTH))
        }
      }
  })
})
