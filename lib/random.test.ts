import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom, shuffled } from './random.ts'

const draw = (seed: number, count: number) => Array.from({ length: count }, seededRandom(seed))

describe('seeded random numbers', () => {
  test('lie in [0, 1) and spread over it', () => {
    const tenths = new Array<number>(10).fill(0)
    for (const number of draw(7, 10_000))
      tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] ?? 0) + 1
    assert.equal(tenths.length, 10)
    assert.ok(
      tenths.every(count => count > 850 && count < 1150),
      tenths.join(' '),
    )
  })

  test('begin with these values for seed 1 on every machine, and with others for another seed', () => {
    assert.deepEqual(draw(1, 3), [0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
    assert.notDeepEqual(draw(1, 3), draw(2, 3))
  })

  test('shuffle a copy, the same for the same seed', () => {
    const items = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const order = shuffled(items, seededRandom(1))
    assert.notDeepEqual(order, items)
    assert.deepEqual(order, shuffled(items, seededRandom(1)))
    assert.deepEqual(order.toSorted(), items)
  })
})
