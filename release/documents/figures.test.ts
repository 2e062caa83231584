import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../../loadtest/statistics/ratio.ts'
import { hasTurned, sayMedian, sayRatio } from './figures.ts'

const say = (value: number, low: number, high: number) =>
  sayRatio({
    ratio: value,
    ci95: [low, high],
    verdict: judge([low, high], 'lower'),
    smallestDetectableEffect: null,
  })

test('a ratio is said with its interval, and that it is the same, or that the run cannot tell', () => {
  assert.equal(say(0.0556, 0.052, 0.06), '0.056 × [0.052, 0.060]')
  assert.equal(say(3.1, 2.9, 3.3), '3.10 × [2.90, 3.30]')
  assert.equal(say(0.9, 0.8, 1.1), '0.90 × [0.80, 1.10] (cannot tell)')
  assert.equal(say(1, 0.99, 1.01), '1.00 × [0.99, 1.01] (the same)')
})

test('a finding turns when its ratio claims something else, and not when its figures change', () => {
  const turned = (words: string, rendered: string) => hasTurned({ path: '', index: 0, words, rendered })
  assert.ok(!turned('0.30 × [0.20, 0.40]', '0.50 × [0.40, 0.60]'))
  assert.ok(turned('0.30 × [0.20, 0.40]', '1.50 × [1.40, 1.60]'))
  assert.ok(turned('0.30 × [0.20, 0.40]', '0.90 × [0.80, 1.10] (cannot tell)'))
  assert.ok(!turned('77 µs', '0.5 µs'))
})

test('a median is said with its unit, and as many digits as people need', () => {
  assert.equal(sayMedian({ median: 77.08 }, { unit: 'µs' }), '77 µs')
  assert.equal(sayMedian({ median: 0.528 }, { unit: 'wake-ups' }), '0.53 wake-ups')
})
