import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Silence } from './silence.ts'

/** Observes signs at given times. @returns the silence in milliseconds after the last observation */
function observe(...signs: readonly (readonly [sign: string, atSeconds: number])[]): number {
  const silence = new Silence()
  return signs.map(([sign, atSeconds]) => silence.observe(sign, atSeconds * 1000)).at(-1) as number
}

describe('silence', () => {
  test('is the time without a new sign', () => {
    assert.equal(observe(['a', 5000], ['a', 5000.5], ['a', 5001.25]), 1250)
  })

  test('ends with a sign, be it one from the past', () => {
    assert.equal(observe(['10:00', 0], ['10:00', 1], ['09:00', 2]), 0)
  })

  test('is no longer than a second for a watcher that was stopped itself', () => {
    assert.equal(observe(['a', 0], ['a', 3600]), 1000)
  })
})
