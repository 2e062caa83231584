import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { schedule } from './load.ts'

const first = (count: number, arrivals: 'constant' | 'poisson', ratePerSecond: number, seed = 1) =>
  schedule({ ratePerSecond, arrivals, seed }).take(count).toArray()

describe('arrivals', () => {
  test('that are constant come evenly', () => {
    assert.deepEqual(first(5, 'constant', 250), [0, 4, 8, 12, 16])
  })

  test('that are constant do not drift in an hour', () => {
    assert.equal(first(1_000_001, 'constant', 300).at(-1), 1_000_000 / 0.3)
  })

  test('by Poisson have the rate, and exponential gaps: their deviation is their mean', () => {
    const times = first(100_001, 'poisson', 500)
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
    const mean = gaps.reduce((sum, gap) => sum + gap) / gaps.length
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
    assert.ok(Math.abs(mean - 2) < 0.03, `mean ${mean}`)
    assert.ok(Math.abs(deviation - 2) < 0.05, `deviation ${deviation}`)
    assert.ok(Math.abs(gaps.filter(gap => gap > 2).length / gaps.length - Math.exp(-1)) < 0.01)
  })

  test('by Poisson are the same for the same seed, and others for another', () => {
    assert.deepEqual(first(50, 'poisson', 10, 7), first(50, 'poisson', 10, 7))
    assert.notDeepEqual(first(50, 'poisson', 10, 7), first(50, 'poisson', 10, 8))
  })
})
