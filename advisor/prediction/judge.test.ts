import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBroken, joinBounds } from './judge.ts'

test('a bound is broken only by a gain whose whole interval is below that of the bound', () => {
  const bound = joinBounds([
    { costAtBest: 0.4, costAtBestRange: [0.35, 0.42] },
    { costAtBest: 0.5, costAtBestRange: [0.45, 0.52] },
  ])
  assert.deepEqual(bound, { costAtBest: 0.45, costAtBestRange: [0.35, 0.52] })
  assert.equal(isBroken(bound, { ratio: 0.3, ci95: [0.25, 0.34] }), true)
  assert.equal(isBroken(bound, { ratio: 0.3, ci95: [0.25, 0.36] }), false)
  assert.equal(isBroken(bound, { ratio: 0.9, ci95: [0.8, 1] }), false)
})
