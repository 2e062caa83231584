import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../statistics/verdict.ts'
import { classOf, sayMedian, sayRatio } from './words.ts'

const ratio = (value: number, low: number, high: number) => ({
  ratio: value,
  ci95: [low, high] as const,
  verdict: judge([low, high], 'lower'),
  smallestDetectableEffect: null,
})
const say = (value: number, low: number, high: number, form?: string) =>
  sayRatio(ratio(value, low, high), form)

test('a ratio is said as the nearest common fraction, and the words tell how wide its interval is', () => {
  assert.equal(say(0.0556, 0.052, 0.06), 'an eighteenth')
  assert.equal(say(0.0556, 0.045, 0.065), 'about an eighteenth')
  assert.equal(say(0.46, 0.38, 0.56), 'about half')
  assert.equal(say(0.3, 0.2, 0.6), 'a fifth to three fifths')
  assert.equal(say(0.02, 0.019, 0.021), '2 %')
  assert.equal(say(3.1, 2.9, 3.3), '3.1 times')
})

test('a change is said as what is gone, or what came', () => {
  assert.equal(say(0.19, 0.17, 0.21, 'change'), 'four fifths less')
  assert.equal(say(1.33, 1.3, 1.36, 'change'), 'a third more')
  assert.equal(say(1.5, 1.03, 1.7, 'change'), 'up to two thirds more')
  assert.equal(say(3.1, 2.9, 3.3, 'change'), '3.1 times as much')
})

test('no words claim a difference that was not found', () => {
  for (const form of [undefined, 'change']) assert.equal(say(0.9, 0.8, 1.1, form), 'no difference found')
  assert.equal(say(1, 0.99, 1.01), 'no difference')
})

test('a finding turns when its words claim something else', () => {
  const classes = ['an eighteenth', 'a third less', 'no difference found', 'a third more', '3.1 times']
  assert.deepEqual(classes.map(classOf), ['less', 'less', 'none', 'more', 'more'])
})

test('a median is said with its unit, and as many digits as people need', () => {
  assert.equal(sayMedian({ median: 77.08 }, { unit: 'µs' }), '77 µs')
  assert.equal(sayMedian({ median: 0.528 }, { unit: 'wake-ups' }), '0.53 wake-ups')
})
