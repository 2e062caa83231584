import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Verdict, wordOf } from '../../lib/verdict.ts'
import { estimateMean } from './bootstrap.ts'
import { mean, standardError } from './estimate.ts'
import { isCheck, isNarrow } from './looks.ts'
import { type Interval, median, medianInterval } from './median.ts'
import { judge, pairedRatio, unpairedRatio } from './ratio.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const near = (actual: number | undefined, expected: number, tolerance = 1e-9) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} is not near ${expected}`)

describe('a median', () => {
  test('is the middle value, or the mean of the two in the middle', () => {
    assert.deepEqual([[], [3], [9, 100, 10], [4, 1, 3, 2]].map(median), [null, 3, 10, 2.5])
  })

  // Ranks by the binomial distribution, as in Le Boudec's table A.1: 6 values give the 1st and 6th, 9 the 2nd and 8th.
  const ranks: readonly [number, Interval | null][] = [
    [0, null],
    [5, null],
    [6, [1, 6]],
    [8, [1, 8]],
    [9, [2, 8]],
    [20, [6, 15]],
    [50, [18, 33]],
    [100, [40, 61]],
  ]
  for (const [count, interval] of ranks) {
    test(`of ${count} values has the interval ${JSON.stringify(interval)} by rank`, () => {
      assert.deepEqual(medianInterval(upTo(count).reverse()), interval)
    })
  }
})

describe('the studentized bootstrap', () => {
  test('has the mean and its standard error', () => {
    near(mean([1, 2, 3, 4]), 2.5)
    near(standardError([1, 2, 3, 4]), Math.sqrt(5 / 3 / 4))
    const { value, standardError: error } = estimateMean([1, 2, 3, 4, 5])
    near(value, 3)
    near(error, Math.SQRT1_2)
  })

  test('is about as wide as Student’s t where that is right: many even values', () => {
    const values = upTo(60).map(index => Math.sin(index * 12.9898) * 43.7 + (index % 7))
    const { halfWidth, standardError: error } = estimateMean(values)
    // The quantile of t for 96.5 % and 59 degrees of freedom.
    near(halfWidth / error, 2.157, 0.12)
  })

  test('gives the same interval for the same values, and moves with them', () => {
    const values = [0.02, -0.05, 0.04, 0.01, 0.09, -0.03]
    assert.deepEqual(estimateMean(values), estimateMean(values))
    near(estimateMean(values.map(value => value + 1)).value, estimateMean(values).value + 1)
    near(estimateMean(values.map(value => value * 10)).halfWidth, estimateMean(values).halfWidth * 10, 1e-6)
  })

  test('is no wider than Student’s t at 99 %, however near to each other some of few values happen to be', () => {
    const { halfWidth, standardError: error } = estimateMean([0.2, 0.2001, 0.2002, 0.05, -0.3])
    // The quantile of t for 99 % and 4 degrees of freedom.
    near(halfWidth / error, 4.604, 0.001)
  })

  test('compares two groups, whose errors add up', () => {
    const [own, others] = [
      [5, 6, 7, 8, 9, 10],
      [1, 2, 3, 4],
    ]
    const { value, standardError: error } = estimateMean(own as number[], others)
    near(value, 5)
    near(error, Math.sqrt(3.5 / 6 + 5 / 3 / 4))
  })

  test('claims nothing of fewer than five values, and no width where nothing scatters', () => {
    for (const values of [[1], [1, 2], [2, 2, 2, 2], [1, 2, 3, 4]])
      assert.ok(!Number.isFinite(estimateMean(values).halfWidth), String(values))
    assert.ok(Number.isFinite(estimateMean([1, 2, 3, 4, 6]).halfWidth))
    assert.equal(estimateMean([2, 2, 2, 2, 2]).halfWidth, 0)
  })
})

describe('a ratio', () => {
  const drifting: Interval[] = [1, 5, 0.2, 3, 9, 0.7, 2, 4].map((block, index) => [
    block * (1.1 + 0.001 * (index % 2)),
    block,
  ])

  test('of pairs is free of what a block did to both', () => {
    const { ratio, ci95, verdict } = pairedRatio(drifting, 'lower')
    near(ratio ?? 0, 1.1005, 1e-4)
    assert.ok(ci95 && ci95[0] > 1.0995 && ci95[1] < 1.1015)
    assert.equal(verdict, 'slower')
    assert.equal(pairedRatio(drifting, 'higher').verdict, 'faster')
  })

  test('of values that were not taken together is not', () => {
    const [own, others] = [0, 1].map(side => drifting.map(pair => pair[side as 0 | 1]))
    const { ratio, ci95, verdict } = unpairedRatio(own as number[], others as number[], 'lower')
    near(ratio ?? 0, 1.1005, 1e-4)
    assert.ok(ci95 && ci95[0] < 0.5 && ci95[1] > 2)
    assert.equal(verdict, 'inconclusive')
  })

  test('of too few pairs has no interval and no verdict', () => {
    const few = pairedRatio([[2, 1]], 'lower')
    assert.deepEqual(few, {
      ratio: 2,
      ci95: null,
      verdict: 'inconclusive',
      smallestDetectableEffect: null,
    })
    assert.equal(pairedRatio([], 'lower').ratio, null)
    assert.equal(unpairedRatio([1], [], 'lower').ratio, null)
  })

  test('finds at best what is wider than its own interval', () => {
    const pairs = [0.1, -0.2, 0.15, 0.05, -0.12, 0.2].map((log): Interval => [Math.exp(log), 1])
    const { ratio, ci95, smallestDetectableEffect } = pairedRatio(pairs, 'lower')
    assert.ok((smallestDetectableEffect ?? 0) > (ci95?.[1] ?? 0) / (ratio ?? 1) - 1)
  })
})

describe('a verdict', () => {
  const cases: readonly [Interval | null, Verdict, Verdict][] = [
    [null, 'inconclusive', 'inconclusive'],
    [[0.99, 1.01], 'equivalent', 'equivalent'],
    [[0.98, 1.02], 'equivalent', 'equivalent'],
    [[1.001, 1.019], 'equivalent', 'equivalent'],
    [[0.97, 1.01], 'inconclusive', 'inconclusive'],
    [[0.9, 1.1], 'inconclusive', 'inconclusive'],
    [[1, 1.05], 'inconclusive', 'inconclusive'],
    [[1.001, 1.021], 'slower', 'faster'],
    [[0.97, 0.999], 'faster', 'slower'],
    [[2, 3], 'slower', 'faster'],
  ]
  for (const [ci95, cost, rate] of cases) {
    test(`on ${JSON.stringify(ci95)} is ${cost} of a cost and ${rate} of a rate`, () => {
      assert.deepEqual([judge(ci95, 'lower'), judge(ci95, 'higher')], [cost, rate])
    })
  }

  test('is read as the direction of the value, the same of a cost and of a rate', () => {
    for (const [ci95, word] of [
      [[0.5, 0.6], 'less'],
      [[1.5, 1.6], 'more'],
      [[0.99, 1.01], 'the same'],
      [[0.5, 1.6], 'cannot tell'],
    ] as const)
      for (const better of ['lower', 'higher'] as const)
        assert.equal(wordOf(judge(ci95, better), better), word)
  })
})

describe('a run that stops when its intervals are narrow', () => {
  test('checks after 8 blocks and then after half as many again', () => {
    assert.deepEqual(upTo(100).filter(isCheck), [8, 12, 18, 27, 40, 60, 90])
  })

  test('calls narrow what is known to within a share of itself', () => {
    assert.equal(isNarrow([0.99, 1.01], 0.011), true)
    assert.equal(isNarrow([0.2, 0.202], 0.011), true)
    assert.equal(isNarrow([0.97, 1.01], 0.015), false)
    assert.equal(isNarrow(null, 1), false)
  })
})
