import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeCrossing, findCrossing, type Length, type Point } from './crossing.ts'

const lengths = [10, 100, 1000]
/** Points whose inline costs are given; elsewhere everything costs 40. */
const inlineCosts = (...costs: readonly number[]): Point[] =>
  costs.map((inline, index) => ({ lengthMicros: lengths[index] as number, inline, elsewhere: 40 }))
const rounded = (length: Length | null) =>
  typeof length === 'number' ? Math.round(length * 100) / 100 : length

describe('a crossing', () => {
  const cases: readonly [what: string, Point[], Length][] = [
    ['lies where straight lines between logarithms meet', inlineCosts(10, 100, 1000), 40],
    ['lies at a length that costs the same in both', inlineCosts(10, 40, 100), 100],
    ['is below the range where it is cheaper elsewhere at every length', inlineCosts(41, 100, 1000), 'below'],
    ['is above the range where it is not even at the longest', inlineCosts(10, 100, 39), 'above'],
    ['is the last of several, beyond which nothing speaks against it', inlineCosts(50, 4, 400), 316.23],
  ]
  for (const [what, points, expected] of cases) {
    test(what, () => assert.equal(rounded(findCrossing(points)), expected))
  }

  const rounds: readonly [what: string, Length[], Length | null, readonly [Length, Length] | null][] = [
    ['is the median of the rounds, with its interval by rank', [30, 40, 10, 20, 60, 50], 34.64, [10, 60]],
    ['has no interval of fewer than six rounds', [30, 40, 10, 20, 60], 30, null],
    ['knows only that an end lies beyond', ['below', 20, 30, 30, 40, 'above'], 30, ['below', 'above']],
    [
      'is itself beyond where most rounds are',
      ['above', 90, 'above', 'above', 80, 'above'],
      'above',
      [80, 'above'],
    ],
    ['is not known where rounds contradict each other', ['below', 'above'], null, null],
    ['is not known of no round', [], null, null],
  ]
  for (const [what, found, length, ci95] of rounds) {
    test(what, () => {
      const crossing = describeCrossing(found)
      assert.equal(rounded(crossing.lengthMicros), length)
      assert.deepEqual(crossing.ci95?.map(rounded) ?? null, ci95)
      assert.deepEqual(crossing.rounds, found)
    })
  }
})
