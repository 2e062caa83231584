import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { timeFor } from './page/live/time.ts'

const times = Array.from({ length: 21 }, (_, index) => 100 + index / 2)

describe('the cursor of a chart', () => {
  test('begins at the latest values, and moves by two seconds with an arrow key', () => {
    assert.equal(timeFor('ArrowLeft', times), 110)
    assert.equal(timeFor('ArrowLeft', times, 20), 108)
    assert.equal(timeFor('ArrowRight', times, 10), 107)
  })

  test('stays inside, and jumps to the ends', () => {
    assert.equal(timeFor('ArrowLeft', times, 1), 100)
    assert.equal(timeFor('ArrowRight', times, 19), 110)
    assert.deepEqual([timeFor('Home', times, 9), timeFor('End', times, 9)], [100, 110])
  })

  test('ignores other keys, and does nothing in an empty chart', () => {
    assert.equal(timeFor('t', times, 5), undefined)
    assert.equal(timeFor('ArrowLeft', [], null), undefined)
  })
})
